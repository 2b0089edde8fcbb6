import { describe, expect, test } from "vitest";
import { type ValidationError, explain, formatFindings } from "./index.ts";

const schema = {
  type: "object",
  properties: { query: { type: "string" }, limit: { type: "integer" } },
  required: ["query"],
};
const findings = explain(schema, { limit: "many" });

describe("styles", () => {
  test("standard is the default", () => {
    expect(formatFindings(findings)).toBe(
      [
        "• /limit (VAL-002): Type mismatch: expected integer, got string",
        "  Expected: integer",
        '  Actual: "many"',
        "• /query (VAL-001): Required field 'query' is missing",
        "  Expected: string",
      ].join("\n"),
    );
  });

  test("compact is a line for each", () => {
    expect(formatFindings(findings, { style: "compact" })).toBe(
      '- /limit (VAL-002): "many"; expected integer\n- /query (VAL-001): missing; expected string',
    );
  });

  test("a warning says that it is one", () => {
    const warned = explain(schema, { query: "a", page: 1 }, { unknownFields: "warn" });
    expect(formatFindings(warned, { style: "compact" })).toMatch(/^- \/page \(VAL-005 warning\): /);
  });

  test("no findings are an empty string", () => expect(formatFindings([])).toBe(""));
});

describe("limits", () => {
  const many = Array.from({ length: 30 }, (_, index): ValidationError => ({
    errorCode: "VAL-002",
    fieldPath: `/field-${index}`,
    severity: "error",
    message: "Type mismatch: expected integer, got string",
    // Of their own, so that each has a bullet.
    expectedValue: `integer at most ${index}`,
    actualValue: `"${"x".repeat(80)}"`,
  }));

  test("what is not shown is counted", () => {
    const text = formatFindings(many, { style: "compact", maxErrors: 2 });
    expect(text.split("\n")).toHaveLength(3);
    expect(text).toMatch(/\n\.\.\. and 28 more errors$/);
  });

  test.each([400, 1_000, 3_000])("a text has at most %i units", (maxLength) => {
    const text = formatFindings(many, { maxErrors: 30, maxLength });
    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(text).toContain("/field-0");
    const shown = text.match(/\(VAL-002\)/g)?.length ?? 0;
    const more = Number(/and (\d+) more/.exec(text)?.[1] ?? 0);
    expect(shown + more).toBe(30);
  });

  test("findings that read alike share a bullet, which names every place", () => {
    const alike = many.slice(0, 3).map((one) => ({ ...one, expectedValue: "integer" }));
    expect(formatFindings(alike, { style: "compact" })).toMatch(
      /^- \/field-0, \/field-1, \/field-2 \(VAL-002\): "x+"; expected integer$/,
    );
  });

  test("what was sent goes before a whole bullet does", () => {
    const text = formatFindings(many.slice(0, 10), { style: "compact", maxLength: 1_000 });
    expect(text.match(/\(VAL-002\)/g)).toHaveLength(10);
  });

  test("a single huge finding is cut", () => {
    const [first] = many;
    const huge = { ...first, message: "m".repeat(5_000), fieldPath: `/${"p".repeat(5_000)}` };
    const text = formatFindings([huge as ValidationError], { maxLength: 400 });
    expect(text.length).toBeLessThanOrEqual(400);
  });

  test.each([
    [{ style: "short" }, /`style` must be/],
    [{ maxErrors: 0 }, /`maxErrors` must be/],
    [{ maxLength: 399 }, /`maxLength` must be/],
  ])("%j is a mistake of the program", (options, message) => {
    expect(() => formatFindings(findings, options as never)).toThrow(message);
  });
});
