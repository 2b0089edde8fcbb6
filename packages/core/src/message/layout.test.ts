import type { ErrorCode, ValidationError } from "@toolcontract/explain";
import { quoteName } from "@toolcontract/explain/adapter";
import { atTheDoor } from "../testing/at-the-door.ts";
import { DEFAULT_FORMAT, tokensByBytes } from "./format-options.ts";
import { type RejectionContent, formatAdvisories, formatRejection } from "./format-rejection.ts";
import { type ParsedRejection, parseRejection } from "./parse-rejection.ts";
import { expectCostBelow } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";

const STYLES = ["standard", "compact"] as const;
const COUNTRIES = Array.from({ length: 40 }, (_, index) => `"country-${index}"`).join(", ");

function fault(index: number, rest: Partial<ValidationError> = {}): ValidationError {
  return {
    errorCode: "VAL-008",
    fieldPath: `/orders/${index}/country`,
    message: "Invalid enum value",
    severity: "error",
    // Of their own, so that each has a bullet.
    hint: `use "country-${index}"`,
    expectedValue: `one of ${COUNTRIES}`,
    actualValue: `"${"Lorem ipsum dolor sit amet ".repeat(3)}..." (1500000 characters)`,
    ...rest,
  };
}

function content(errors: readonly ValidationError[], rest: object = {}): RejectionContent {
  return {
    toolName: "ship_orders",
    attempt: 1,
    maxAttempts: 3,
    status: "rejected",
    errors,
    totalErrors: errors.length,
    guidance: "Use the codes of the country list.\nOne order a country.",
    ...rest,
  };
}

/** Returns the details that are left at a limit. */
function detailsAt(maxLength: number): object {
  const errors = [fault(0), fault(1), fault(2)];
  const text = formatRejection(content(errors), { ...DEFAULT_FORMAT, maxLength });
  expect(text.length).toBeLessThanOrEqual(maxLength);
  const parsed = parseRejection(text) as ParsedRejection;
  const count = (has: (error: ValidationError) => boolean): number =>
    parsed.errors.filter(has).length;
  return {
    actual: count((error) => error.actualValue !== undefined),
    whole: count((error) => error.expectedValue?.includes("country-39") === true),
    guidance: parsed.guidance?.split("\n").length ?? 0,
    bullets: parsed.errors.length,
    hidden: parsed.hiddenErrors,
  };
}

describe("details are dropped in a fixed order", () => {
  test.each([
    [4000, { actual: 3, whole: 3, guidance: 2, bullets: 3, hidden: 0 }],
    [2200, { actual: 0, whole: 3, guidance: 2, bullets: 3, hidden: 0 }],
    [1500, { actual: 0, whole: 1, guidance: 2, bullets: 3, hidden: 0 }],
    [700, { actual: 0, whole: 0, guidance: 2, bullets: 3, hidden: 0 }],
    [620, { actual: 0, whole: 0, guidance: 1, bullets: 3, hidden: 0 }],
    [560, { actual: 0, whole: 0, guidance: 0, bullets: 3, hidden: 0 }],
    [540, { actual: 0, whole: 0, guidance: 0, bullets: 2, hidden: 1 }],
    [400, { actual: 0, whole: 0, guidance: 0, bullets: 1, hidden: 2 }],
  ])("within %i units", (maxLength, expected) => {
    expect(detailsAt(maxLength)).toEqual(expected);
  });

  test("a long list keeps its first values and a count", () => {
    const text = formatRejection(content([fault(0), fault(1)]), {
      ...DEFAULT_FORMAT,
      maxLength: 700,
    });
    expect(text).toContain(
      '  Expected: one of "country-0", "country-1", "country-2" and 37 more\n',
    );
  });

  test("a count that is already there is raised", () => {
    const expectedValue = `only ${"a_rather_long_name, ".repeat(30)}b and 5 more`;
    const text = formatRejection(content([fault(0, { expectedValue })]), {
      ...DEFAULT_FORMAT,
      maxLength: 500,
    });
    expect(text).toContain(
      "only a_rather_long_name, a_rather_long_name, a_rather_long_name and 33 more\n",
    );
  });
});

describe("limits that always hold", () => {
  const long = '\\"; 👩‍👩‍👧‍👦\n';
  const codes: readonly ErrorCode[] = ["VAL-014", "VAL-016", "VAL-001"];
  const worst = codes.map((errorCode) =>
    fault(0, {
      errorCode,
      severity: "warning",
      fieldPath: `/${long.repeat(500)}`,
      message: long.repeat(500),
      expectedValue: long.repeat(500),
      actualValue: long.repeat(500),
      hint: long.repeat(500),
      variant: long.repeat(500),
    }),
  );

  test.each(STYLES)("the worst content fits 400 units in the %s style", async (style) => {
    const shown = await atTheDoor(worst);
    const everything = content(shown, {
      toolName: quoteName("a".repeat(1000)),
      attempt: 1e9,
      maxAttempts: 1e9,
      totalErrors: 1e9,
      atLeast: true,
      status: "blocked",
      settled: true,
      repeats: 1e9,
      guidance: long.repeat(500),
      earlier: [
        { attempt: 1, argumentsHash: "", errors: worst.map((e) => ({ ...e, summary: e.message })) },
      ],
      advisories: shown,
    });
    const text = formatRejection(everything, { ...DEFAULT_FORMAT, style, maxLength: 400 });
    expect(text.length).toBeLessThanOrEqual(400);
    expect(parseRejection(text)).toMatchObject({
      status: "blocked",
      settled: true,
      hiddenErrors: 999_998,
    });
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });

  test.each(STYLES)("maxTokens holds in the %s style", (style) => {
    const errors = Array.from({ length: 10 }, (_, index) => fault(index));
    const options = { ...DEFAULT_FORMAT, style, maxTokens: 180, maxLength: 8000 };
    const text = formatRejection(content(errors), options);
    expect(tokensByBytes(text)).toBeLessThanOrEqual(180);
    expect(parseRejection(text)?.errors.length).toBeGreaterThan(1);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no tokenizer");
      },
    ],
    ["is not a number", () => Number.NaN],
  ])("a token counter that %s is replaced", (_, broken) => {
    const options = { ...DEFAULT_FORMAT, maxTokens: 200 };
    const errors = Array.from({ length: 10 }, (_value, index) => fault(index));
    expect(formatRejection(content(errors), { ...options, estimateTokens: broken })).toBe(
      formatRejection(content(errors), options),
    );
  });

  test("scenario 5: a very long value is cut, shown with ... and keeps the limit", () => {
    const errors = [fault(0, { errorCode: "VAL-009", actualValue: `"${"x".repeat(100_000)}"` })];
    const text = formatRejection(content(errors), DEFAULT_FORMAT);
    expect(text).toMatch(/ {2}Actual: "x{295}\.\.\."\n/);
    expect(text.length).toBeLessThan(2000);
  });

  test("a note on a call that ran keeps the limits too", () => {
    const advisories = worst.map((error) => ({ ...error, severity: "info" as const }));
    const text = formatAdvisories(advisories, { ...DEFAULT_FORMAT, maxLength: 400 });
    expect(text.startsWith("Advisories:\n• /")).toBe(true);
    expect(text.length).toBeLessThanOrEqual(400);
  });

  test("a letter with a million combining marks is never cut in half", () => {
    const errors = [fault(0, { message: `a${"\u0301".repeat(1_000_000)}`, errorCode: "VAL-016" })];
    const text = formatRejection(content(errors), DEFAULT_FORMAT);
    expect(parseRejection(text)?.errors[0]?.message).toBe("...");
  });

  test("ten errors are written in well under a millisecond, even when they do not fit", async () => {
    const errors = Array.from({ length: 10 }, (_, index) => fault(index));
    const write = (): string => formatRejection(content(errors), DEFAULT_FORMAT);
    await expectCostBelow(200, () => {
      for (let round = 0; round < 200; round += 1) write();
    });
  });
});

test("tokens are estimated as a third of the UTF-8 bytes", () => {
  expect(["", "abc", "abcd", "日本", "👩"].map(tokensByBytes)).toEqual([0, 1, 2, 2, 2]);
});
