import { describe, expect, test } from "vitest";
import {
  ERROR_CODES,
  type ErrorCodeSet,
  errorCodePage,
  isErrorCode,
  looksLikeErrorCode,
  meaningOf,
  registerErrorCodes,
} from "./error-codes.ts";

const page = "https://example.com/codes/{code}";
const set = (prefix: string, codes: object): ErrorCodeSet => ({ prefix, codes, page }) as never;

describe("registerErrorCodes", () => {
  test("makes a package's codes known, with their meaning and page", () => {
    expect(isErrorCode("QUO-001")).toBe(false);
    registerErrorCodes(set("QUO", { "QUO-001": "Quota spent" }));
    expect(isErrorCode("QUO-001")).toBe(true);
    expect(meaningOf("QUO-001")).toBe("Quota spent");
    expect(errorCodePage("QUO-001")).toBe("https://example.com/codes/QUO-001");
    expect(isErrorCode("QUO-002")).toBe(false);
  });

  test("takes the same codes again, and new ones beside them: two copies of a package may be loaded", () => {
    registerErrorCodes(set("TWI", { "TWI-001": "Twice" }));
    registerErrorCodes(set("TWI", { "TWI-001": "Twice", "TWI-002": "Thrice" }));
    expect([meaningOf("TWI-001"), meaningOf("TWI-002")]).toEqual(["Twice", "Thrice"]);
  });

  test.each([
    ["core's prefix", set("VAL", { "VAL-017": "More" }), "other than VAL"],
    ["a lower-case prefix", set("grd", {}), "two to eight capital letters"],
    ["a code of another prefix", set("ABC", { "ABD-001": "No" }), "such as ABC-001"],
    ["a code without three digits", set("ABC", { "ABC-1": "No" }), "such as ABC-001"],
    ["a code without a meaning", set("ABC", { "ABC-001": "" }), "say what ABC-001 means"],
    ["a code with another meaning", set("CHG", { "CHG-001": "New" }), "already means 'Old'"],
    ["no codes", set("ABC", null as never), "as `codes`"],
    ["no page", { prefix: "ABC", codes: {}, page: "x" }, "with {code} in it"],
    ["nothing", undefined as never, "two to eight capital letters"],
  ])("refuses %s", (_, given, words) => {
    registerErrorCodes(set("CHG", { "CHG-001": "Old" }));
    expect(() => registerErrorCodes(given)).toThrow(words);
  });
});

test("core's codes are known and have no page of a package", () => {
  for (const code of Object.keys(ERROR_CODES)) expect(isErrorCode(code)).toBe(true);
  expect(errorCodePage("VAL-001")).toBeUndefined();
  expect(meaningOf("toString")).toBeUndefined();
});

test.each([
  ["VAL-001", true],
  ["VAL-017", false],
  ["GRD-001", true],
  ["G-001", false],
  ["GRD-01", false],
  ["grd-001", false],
  ["GRD-001x", false],
])("%s may be a code: %s", (text, expected) => {
  expect(looksLikeErrorCode(text)).toBe(expected);
});
