import { countCost } from "@toolcontract/case-table/cost";
import { oneInThree } from "@toolcontract/case-table/whole";
import { readLiteral } from "@toolcontract/literals";
import fc from "fast-check";
import { inWords } from "../testing/in-words.ts";
import { parseArguments, type ParsedArguments, type ParseOptions } from "./parse-arguments.ts";
import { describe, expect, test } from "vitest";

const DEFAULTS: ParseOptions = { repairJson: true, closeDangling: false };

function parse(raw: unknown, options: Partial<ParseOptions> = {}): ParsedArguments {
  return parseArguments(raw, { ...DEFAULTS, ...options });
}

/** Strings that resemble parts of malformed calls. */
const jsonLike = fc
  .array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"',
      "'",
      "`",
      "“",
      "”",
      "\\",
      "/",
      "-",
      ".",
      "#",
      "\n",
      "\t",
      " ",
      "//",
      "/*",
      "*/",
      "```json\n",
      '\\"',
      "\\u00",
      "null",
      "True",
      "NaN",
      "path",
      "it's",
      "12",
      "0.5",
      "1e",
      '{"a":',
      '"b"',
      "\uFEFF",
      "\ud800",
      "__proto__",
      "...",
      '","',
      '"}',
      "'}",
      "[[",
      "]]",
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));
const anyText = fc.oneof(jsonLike, fc.string({ unit: "binary", maxLength: 60 }));
const options = fc.record<ParseOptions>({
  repairJson: fc.boolean(),
  closeDangling: fc.boolean(),
  finishReason: fc.constantFrom("stop", "length", undefined),
  rawText: fc.option(anyText, { nil: undefined }),
});

type Sloppy = { readonly value: unknown; readonly text: string };

const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "it's",
    '27" wide',
    "a\nb",
    "{",
    "]",
    "[x",
    "C:\\dir",
    "// no",
    "/* }",
    "```",
    "“q”",
    "True",
    ", ",
    ': "',
  ),
);
/** A JSON value, and a text for it with the mistakes that models make. */
const { sloppyObject } = fc.letrec<{
  sloppyObject: Sloppy;
  sloppyValue: Sloppy;
  sloppyArray: Sloppy;
  leaf: Sloppy;
}>((tie) => {
  const gap = fc.constantFrom("", "", " ", "\n", " /* }] */ ", " // it's {\n", "\u00a0");
  const string = fc.tuple(word, fc.constantFrom("'", '"')).map(([value, quote]): Sloppy => {
    const json = JSON.stringify(value).slice(1, -1);
    if (quote === '"')
      return {
        value,
        text: `"${json.replaceAll(String.raw`\n`, "\n").replaceAll("'", String.raw`\'`)}"`,
      };
    return {
      value,
      text: `'${json.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`,
    };
  });
  const key = fc.oneof(
    string,
    fc
      .constantFrom("path", "max_len", "__proto__")
      .map((name): Sloppy => ({ value: name, text: name })),
  );
  const between = fc.constantFrom(",", ",", ",", ", ", "\n", ",\n");
  const items = <T>(item: fc.Arbitrary<T>) =>
    fc.array(fc.tuple(item, gap, between, gap), { maxLength: 4 });
  const join = (list: readonly (readonly [string, string, string, string])[], trailing: boolean) =>
    list
      .map(([text, before, comma, after], at) =>
        at < list.length - 1 || trailing ? text + before + comma + after : text + before,
      )
      .join("");
  return {
    leaf: fc.oneof(
      string,
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => ({ value: value + 0, text: JSON.stringify(value) })),
      fc.constantFrom<Sloppy>(
        { value: true, text: "True" },
        { value: null, text: "None" },
        { value: false, text: "false" },
      ),
    ),
    sloppyArray: fc.tuple(items(tie("sloppyValue")), fc.boolean()).map(([list, trailing]) => ({
      value: list.map(([item]) => item.value),
      text: `[${join(
        list.map(([item, ...rest]) => [item.text, ...rest]),
        trailing,
      )}]`,
    })),
    sloppyObject: fc
      .tuple(items(fc.tuple(key, gap, tie("sloppyValue"))), fc.boolean())
      .map(([list, trailing]) => {
        const value: Record<string, unknown> = {};
        for (const [[name, , item]] of list) {
          Object.defineProperty(value, String(name.value), {
            value: item.value,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
        const members = list.map(
          ([[name, space, item], ...rest]) =>
            [`${name.text}:${space}${item.text}`, ...rest] as const,
        );
        return { value, text: `{${join(members, trailing)}}` };
      }),
    sloppyValue: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("sloppyArray"), tie("sloppyObject")),
  };
});

describe("whatever a model sends", () => {
  test("never throws, is deterministic and counts repairs without text", () => {
    fc.assert(
      fc.property(anyText, options, (text, chosen) => {
        const parsed = parseArguments(text, chosen);
        expect(parseArguments(text, chosen)).toEqual(parsed);
        for (const repair of parsed.repairs) {
          expect(Object.keys(repair).toSorted()).toEqual(["inserted", "offset", "removed", "step"]);
          expect(["fence", "syntax", "close"]).toContain(repair.step);
          expect(repair.offset + repair.removed).toBeLessThanOrEqual(text.length);
          expect(Math.min(repair.offset, repair.removed, repair.inserted)).toBeGreaterThanOrEqual(
            0,
          );
        }
        if (!parsed.ok) {
          expect(inWords(parsed.finding).message).toMatch(
            /^(Invalid JSON at position \d+ \(line \d+, column \d+\)(?:: [^]+)?|Arguments were cut off after \d+ characters?)$/,
          );
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("reads any JSON as JSON.parse does, without repairs", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text), repairs: [] });
      }),
    );
  });

  test("reports every proper prefix of an object's text as truncated", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        fc.boolean(),
        (value, at, repairJson) => {
          const text = JSON.stringify(value);
          const prefix = text.slice(0, 1 + (at % (text.length - 1)));
          const parsed = parse(prefix, { repairJson });
          expect(parsed).toMatchObject({ ok: false, finding: { code: "VAL-011" } });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("repairs to the intended value, or not at all", () => {
    let repaired = 0;
    fc.assert(
      fc.property(sloppyObject, ({ text, value }) => {
        const parsed = parse(text);
        if (parsed.ok) expect(parsed.value).toEqual(value);
        if (parsed.ok && parsed.repairs.length > 0) repaired += 1;
      }),
      { numRuns: 2_000 },
    );
    expect(repaired).toBeGreaterThan(100);
  });

  test("never accepts a prefix of a malformed object", () => {
    fc.assert(
      fc.property(sloppyObject, fc.nat(), ({ text }, at) => {
        expect(parse(text.slice(0, 1 + (at % (text.length - 1)))).ok).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a repair has one clear reading", () => {
  const words = fc.constantFrom(
    "a",
    "it's",
    'say "hi"',
    "1/6",
    "{x}",
    "[1]",
    "a, b",
    "",
    "\\",
    "x: y",
  );
  const literal = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc
        .tuple(words, fc.constantFrom("'", '"', "`"))
        .map(([content, quote]) => `${quote}${content}${quote}`),
      fc.constantFrom(
        "True",
        "False",
        "None",
        "true",
        "null",
        "1",
        "-2.5",
        "1/6",
        "undefined",
        "f(1)",
      ),
      fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      fc
        .array(fc.tuple(fc.constantFrom("'k'", '"k"', "k", "'a b'"), tie("value")), {
          maxLength: 3,
        })
        .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}}`),
    ),
  }));

  test("what runs is what strict readers of JSON, JavaScript and Python read", () => {
    let repaired = 0;
    fc.assert(
      fc.property(literal.value, (value) => {
        const text = `{"v": ${value}}`;
        const parsed = parse(text);
        if (!parsed.ok) return;
        repaired += parsed.repairs.length;
        const readings = readLiteral(text);
        // `None` is not a literal of JavaScript, nor a bare key one of Python: the others are read as JSON then.
        const isMixed = /\b(?:True|False|None|true|false|null)\b|[{ ]k:/.test(text);
        if (readings.length > 0 || !isMixed) expect(readings).toEqual([parsed.value]);
      }),
      { numRuns: 2_000 },
    );
    expect(repaired).toBeGreaterThan(50);
  });
});

describe("hostile sizes cost little and never throw", () => {
  const M = 400_000;
  const sizes: readonly (readonly [string, () => string, string])[] = [
    ["400 KB of open brackets", () => "[".repeat(M), "VAL-011"],
    ["400 KB of open objects", () => '{"a":'.repeat(M / 5), "VAL-011"],
    ["400 KB of quotes", () => `['${"'".repeat(M)}`, "VAL-011"],
    ["400 KB of quotes and spaces", () => `{"a":"${'" '.repeat(M / 2)}"}`, "VAL-004"],
    ["400 KB of smart quotes", () => `{“${"“ ".repeat(M / 2)}`, "VAL-011"],
    ["400 KB of backslashes", () => `{"a":"${"\\".repeat(M)}`, "VAL-011"],
    ["400 KB of digits", () => `[${"1".repeat(M)}x]`, "VAL-004"],
    ["400 KB of comments", () => `[${"/**/".repeat(M / 4)}1,]`, "VAL-004"],
    ["400 KB of missing commas", () => `[${"1 ".repeat(M / 2)}]`, "VAL-004"],
    ["400 KB of prose", () => 'so "it" : '.repeat(M / 10), "VAL-004"],
    ["400 KB of prose behind an object", () => `{"a":1}${' "'.repeat(M / 2)}`, "VAL-004"],
    ["400 KB of objects", () => '{"a":1} '.repeat(M / 8), "VAL-004"],
    ["400 KB of blank lines", () => `${"\n".repeat(M)}x`, "VAL-004"],
    ["400 KB in a fence", () => `\`\`\`json\n{"a":"${"x".repeat(M)}"}\n\`\`\``, "ok"],
    ["lone surrogates", () => `{"a":"${"\ud83d".repeat(100_000)}",}`, "ok"],
    ["100,000 items", () => `[${'"item",'.repeat(100_000)}1]`, "ok"],
    ["100,000 items and a comma", () => `[${'"item",'.repeat(100_000)}]`, "VAL-004"],
    ["26,000 comments", () => `[${"/**/ ".repeat(26_000)}]`, "ok"],
    ["a key of 1 MB", () => `{"${"k".repeat(1_000_000)}":1}`, "ok"],
    ["a key of 1 MB and a comma", () => `{"${"k".repeat(1_000_000)}":1,}`, "VAL-004"],
    ["10,000 nested brackets", () => "[".repeat(10_000) + "]".repeat(10_000), "ok"],
    [
      "10,000 nested brackets and a comma",
      () => `${"[".repeat(10_000)}1,${"]".repeat(10_000)}`,
      "VAL-004",
    ],
    ["a desynchronised repairer", () => `["f("x"), ${"1 ".repeat(400_000)}"]`, "VAL-004"],
    ["a bracket in every string", () => `['x',${'["[a"],'.repeat(120_000)}1]`, "VAL-004"],
  ];
  test.each(oneInThree(sizes))("%s", (_, make, expected) => {
    const text = make();
    const cost = countCost();
    const parsed = parse(text, { closeDangling: true });
    expect(cost()).toBeLessThan(1_000);
    expect(parsed.ok ? "ok" : parsed.finding.code).toBe(expected);
  });
});
