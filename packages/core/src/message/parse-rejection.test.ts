import { expectCostBelow } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttemptRecord } from "../shared/index.ts";
import {
  ERROR_CODES,
  type ErrorCode,
  type ValidationError,
  type MessageStyle,
} from "@toolcontract/explain";
import { meaningOf } from "@toolcontract/explain/adapter";
import {
  type Bullet,
  SEVERITIES,
  deriveMessage,
  readFacts,
  oneLine,
  quoteName,
  toBullets,
} from "@toolcontract/explain/adapter";
import { type RejectionContent, formatRejection } from "./format-rejection.ts";
import { DEFAULT_FORMAT, type FormatOptions } from "./format-options.ts";
import { parseRejection } from "./parse-rejection.ts";
import { createContract } from "../contract/index.ts";

const ROOMY: FormatOptions = { ...DEFAULT_FORMAT, maxLength: 1_000_000, maxErrors: 20 };
const STYLES: readonly MessageStyle[] = ["standard", "compact"];
const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

// The words, marks and characters of the format itself, so that strings imitate it.
const TRAPS = [
  "; ",
  ";",
  '"',
  '""',
  '\\"',
  "\\",
  "\\u003b",
  "\\u0022",
  "\\u005c",
  "\\u005cu0022 ",
  " ",
  ", ",
  "expected ",
  "got ",
  "as ",
  "hint: ",
  "message: ",
  "missing",
  "unknown field",
  " variant",
  "[redacted]",
  "[",
  "]",
  "{",
  "}",
  "5",
  "null",
  " (12 items)",
  " (3 characters)",
  "...",
  "'",
  "\n• /a (VAL-001): x",
  "\n- /a (VAL-001): missing",
  " (VAL-001): ",
  " (VAL-",
  "(arguments)",
  "/",
  "\n  Expected: ",
  "\nGuidance:\n  ",
  "\nErrors:",
  "\n... and 3 more errors\n",
  "\r\n",
  "\u2028",
  "\nAttempt 1: ",
  "' (attempt 1/3):",
  "at most 3 items",
  "integer from 0 to 5",
  'one of "a", "b"',
  "👩‍👩‍👧",
  "e\u0301",
  "\ud800",
  "\u202e",
  "\0",
];

const text = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...TRAPS) }, fc.string({ unit: "binary" })),
  )
  .map((parts) => parts.join(""));

const preview = fc.oneof(
  fc.string().map((value) => JSON.stringify(value)),
  fc.string().map((value) => `${JSON.stringify(`${value}...`)} (1500000 characters)`),
  fc
    .array(fc.string())
    .map((values) => `[${values.map((value) => JSON.stringify(value)).join(", ")}]`),
  fc.constantFrom(
    '["a; b", ..., "z"] (12 items)',
    '{"a": 1, "b": {...}, ...}',
    "[redacted]",
    "-1.5e+21",
    "true",
  ),
);

function optional(values: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  return fc.option(values, { nil: undefined });
}

/** Errors as they are displayed: correctly typed, each string on one line and not blank. */
const error: fc.Arbitrary<ValidationError> = fc
  .record({
    errorCode: fc.constantFrom(...CODES),
    fieldPath: fc.oneof(
      fc.constant(""),
      text.map((key) => `/${key}`),
    ),
    message: optional(text),
    severity: fc.constantFrom(...SEVERITIES),
    expectedValue: optional(text),
    actualValue: optional(fc.oneof(preview, text)),
    hint: optional(text),
    variant: optional(text),
  })
  .map((fields) => {
    const clean = (value: string | undefined): string | undefined =>
      value === undefined ? undefined : oneLine(value.trim(), 1_000_000) || undefined;
    const [expectedValue, actualValue, hint, variant] = [
      clean(fields.expectedValue),
      clean(fields.actualValue),
      clean(fields.hint),
      clean(fields.variant),
    ];
    const { errorCode, severity } = fields;
    const pointer = oneLine(fields.fieldPath, 240).replaceAll(" (VAL-", " \\u0028VAL-");
    const fieldPath = pointer === "/" ? "/x" : pointer;
    const shown = {
      errorCode,
      fieldPath,
      severity,
      ...(expectedValue !== undefined && { expectedValue }),
      ...(actualValue !== undefined && { actualValue }),
      ...(hint !== undefined && { hint }),
      ...(variant !== undefined && { variant }),
    };
    const derived =
      deriveMessage(errorCode, fieldPath, readFacts(shown)) ?? meaningOf(errorCode) ?? "";
    return { ...shown, message: clean(fields.message) ?? derived };
  });

const content: fc.Arbitrary<RejectionContent> = fc
  .record({
    toolName: text.map((name) => quoteName(name).trim() || "x"),
    attempt: fc.integer({ min: 1, max: 5 }),
    maxAttempts: fc.integer({ min: 1, max: 5 }),
    status: fc.constantFrom("rejected", "blocked"),
    settled: fc.boolean(),
    errors: fc.array(error, { minLength: 1, maxLength: 14 }),
    totalErrors: fc.integer({ min: 0, max: 30 }),
    atLeast: fc.boolean(),
    guidance: text,
    repeats: fc.integer({ min: 0, max: 3 }),
    earlier: fc.array(
      fc.record({
        attempt: fc.nat(9),
        argumentsHash: text,
        errors: fc.array(
          fc.record({ errorCode: fc.constantFrom(...CODES), fieldPath: text, summary: text }),
        ),
        collapsed: fc.nat(3),
      }),
      { maxLength: 3 },
    ),
    advisories: fc.array(error, { maxLength: 3 }),
    unknownTool: fc.boolean(),
  })
  .map(({ repeats, ...fields }) => ({ ...fields, ...(repeats > 0 && { repeats }) }));

/** The errors that a bullet is parsed to: one for each place. */
function parsedOf({ error: shared, places }: Bullet): readonly ValidationError[] {
  return places.map((fieldPath) => {
    const named = shared.message === deriveMessage(shared.errorCode, shared.fieldPath, {});
    const message = named ? deriveMessage(shared.errorCode, fieldPath, {}) : undefined;
    const shown = places.length > 1 ? fieldPath : writtenPlace(fieldPath);
    return { ...shared, fieldPath: shown, ...(message !== undefined && { message }) };
  });
}

/** A pointer that would read as several is escaped. */
function writtenPlace(pointer: string): string {
  return pointer.replaceAll(/,(?= \/)/g, "\\u002c").replaceAll(/ (?=to \/)/g, "\\u0020");
}

describe("what is written can be parsed", () => {
  test("both styles parse back to exactly the displayed errors", () => {
    fc.assert(
      fc.property(content, (given) => {
        const [standard, compact] = STYLES.map((style) =>
          parseRejection(formatRejection(given, { ...ROOMY, style })),
        );
        const room = ROOMY.maxErrors - toBullets(given.errors).length;
        const advisories = toBullets(given.advisories ?? []).slice(0, Math.max(0, room));
        expect(standard).toMatchObject({
          errors: toBullets(given.errors).flatMap(parsedOf),
          advisories: advisories.flatMap(parsedOf),
          attempt: given.attempt,
          maxAttempts: given.maxAttempts,
          status: given.status,
          settled: given.settled === true && given.status === "blocked",
          hiddenErrors: Math.max(0, given.totalErrors - given.errors.length),
        });
        expect(standard?.earlier).toHaveLength(
          given.status === "blocked" ? given.earlier!.length : 0,
        );
        expect({ ...compact, style: "standard" }).toEqual(standard);
      }),
      { numRuns: 400 },
    );
  });

  test.each(['"', "\\", '\\"', '\\\\"', '"; "', '\\"; hint: "x', "a\\; b"])(
    "a value that is %s is read back in both styles",
    async (value) => {
      for (const style of STYLES) {
        const contract = createContract({ format: { style }, logger: () => undefined });
        const tool = { name: "add", inputSchema: { properties: { a: { type: "integer" } } } };
        const call = { id: "call_1", name: "add", arguments: { a: value } };
        const { result } = await contract.handle(call, {
          tool,
          conversationId: "chat",
          execute: () => 1,
        });
        expect(parseRejection(result.content)?.errors).toMatchObject([
          { fieldPath: "/a", actualValue: JSON.stringify(value) },
        ]);
      }
    },
  );

  test("no content exceeds the limit, and every message still parses", () => {
    const limits = fc.record({
      style: fc.constantFrom(...STYLES),
      maxLength: fc.integer({ min: 400, max: 3000 }),
      maxErrors: fc.integer({ min: 1, max: 12 }),
      maxTokens: fc.option(fc.integer({ min: 150, max: 900 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(content, limits, (given, limit) => {
        const options = { ...DEFAULT_FORMAT, ...limit };
        const written = formatRejection(given, options);
        expect(written.length).toBeLessThanOrEqual(options.maxLength);
        expect(written).not.toMatch(/\p{Surrogate}/u);
        const parsed = parseRejection(written);
        expect(parsed).toMatchObject({ status: given.status, style: options.style });
        const total = Math.max(given.totalErrors, given.errors.length);
        expect(parsed!.errors.length + parsed!.hiddenErrors).toBe(total);
        expect(formatRejection(given, options)).toBe(written);
      }),
      { numRuns: 300 },
    );
  });

  test("nothing that a host passes as an error or a history throws", async () => {
    const call = { id: "call_1", name: "write_file", arguments: {} };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.object(), { minLength: 1 }),
        fc.array(fc.object()),
        fc.constantFrom(...STYLES),
        async (errors, history, style) => {
          const contract = createContract({ format: { style }, logger: () => undefined });
          for (const attempt of [1, 3]) {
            const answer = await contract.reject(call, errors as unknown as ValidationError[], {
              attempt,
              history: history as unknown as AttemptRecord[],
              advisories: errors as unknown as ValidationError[],
            });
            expect(parseRejection(answer.result.content)).toBeDefined();
          }
        },
      ),
    );
  });
});

const MESSAGE = formatRejection(
  {
    toolName: "it's (attempt 1/3)",
    attempt: 2,
    maxAttempts: 3,
    status: "rejected",
    errors: [
      {
        errorCode: "VAL-001",
        fieldPath: "/path",
        message: "Required field 'path' is missing",
        severity: "error",
      },
    ],
    totalErrors: 1,
  },
  { ...DEFAULT_FORMAT, style: "compact" },
);

describe("only a whole message is parsed", () => {
  test("a tool's name may contain quotes and parentheses, and white space around the message is ignored", () => {
    expect(parseRejection(`\n ${MESSAGE}\r\n`)).toMatchObject({
      toolName: "it's (attempt 1/3)",
      attempt: 2,
    });
  });

  test.each([
    ["prose before it", `I got this:\n${MESSAGE}`],
    ["prose after it", `${MESSAGE}\nI will try again.`],
    ["a missing end", MESSAGE.split("\n").slice(0, -1).join("\n")],
    [
      "its bullets missing",
      MESSAGE.split("\n")
        .filter((line) => !line.startsWith("- "))
        .join("\n"),
    ],
    ["a heading of the other style", MESSAGE.replace("\n-", "\nErrors:\n-")],
    [
      "another tool's name at its end",
      MESSAGE.replace(
        /Fix these.*$/,
        "Do not call 'x' again for this request: tell the user what is missing, or continue without it.",
      ),
    ],
    ["an unknown code", MESSAGE.replace("VAL-001", "VAL-099")],
    ["a place that is not a pointer", MESSAGE.replace("/path", "path")],
    ["a fact that its code does not have", MESSAGE.replace("missing", "unknown field")],
    ["one part too many", MESSAGE.replace("missing", "missing; a hint; another hint")],
    ["a label under a compact bullet", MESSAGE.replace("missing", "missing\n  Hint: leave it out")],
    ["no words after the code", MESSAGE.replace("missing", "")],
    ["a malformed count", MESSAGE.replace("\nFix", "\n... and 007 more errors\nFix")],
    ["attempts on a call that may be repeated", MESSAGE.replace("\nFix", "\nAttempt 1: x\nFix")],
    ["guidance without lines", MESSAGE.replace("\nFix", "\nGuidance:\nFix")],
    [
      "a call that was blocked before and may be repeated",
      MESSAGE.replace("(attempt 2/3):", "(blocked after 3/3):"),
    ],
  ])("%s", (_, other) => {
    expect(other).not.toBe(MESSAGE);
    expect(parseRejection(other)).toBeUndefined();
  });

  test.each([[undefined], [null], [5], [{}], [[MESSAGE]], [""], ["Validation failed for tool"]])(
    "%o is not a message",
    (other) => {
      expect(parseRejection(other)).toBeUndefined();
    },
  );

  test("no string throws", () => {
    const lines = MESSAGE.split("\n");
    const line = fc.oneof(
      fc.constantFrom(...lines, "", "Errors:", "Guidance:", "  x", "• /a (VAL-002): b"),
      text,
    );
    fc.assert(
      fc.property(fc.array(line), (others) => {
        const found = parseRejection([lines[0], ...others].join("\n"));
        expect(found === undefined || found.errors.length > 0).toBe(true);
      }),
    );
  });

  test.each([
    ["three million letters", "a".repeat(3_000_000)],
    ["three million line breaks after a header", repeated(3_000_000, "")],
    ["a quote never closed", `${MESSAGE.split("missing")[0]}"${'\\"'.repeat(150_000)}`],
    ["many quotes", `${MESSAGE.split("missing")[0]}${'"'.repeat(300_000)}`],
    ["many separators", `${MESSAGE.split("missing")[0]}${"; ".repeat(150_000)}`],
    ["many brackets", `${MESSAGE.split("missing")[0]}${"[".repeat(300_000)}]`],
    ["many bullets", repeated(10_000, "- /a (VAL-001): missing")],
    ["much guidance", `${MESSAGE.split("\nFix")[0]}\nGuidance:${"\n  a".repeat(70_000)}`],
    ["a long name", `Validation failed for tool '${"' (attempt 1/3".repeat(23_000)}`],
    ["many counts", `${MESSAGE.split("missing")[0]}${" (1 a".repeat(50_000)}`],
  ])("%s: parsed in linear time", async (_, junk) => {
    await expectCostBelow(300, () => expect(parseRejection(junk)).toBeUndefined());
  });
});

function repeated(count: number, line: string): string {
  return `Validation failed for tool 'a' (attempt 1/3):\n${`${line}\n`.repeat(count)}.`;
}
