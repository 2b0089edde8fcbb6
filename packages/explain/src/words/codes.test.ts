import fc from "fast-check";
import { expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode } from "../shared/index.ts";
import { deriveMessage } from "./codes.ts";
import { type MessageFacts, readFacts } from "./read-words.ts";

function factsIn(
  errorCode: ErrorCode,
  expectedValue: string | undefined,
  actualValue: string | undefined,
): MessageFacts {
  return readFacts({
    errorCode,
    ...(expectedValue !== undefined && { expectedValue }),
    ...(actualValue !== undefined && { actualValue }),
  });
}

test.each<[ErrorCode, string, string | undefined, string | undefined, string | undefined]>([
  ["VAL-001", "/content", "string", undefined, "Required field 'content' is missing"],
  ["VAL-001", "/headers/a~1b~0c", "string", undefined, "Required field 'a/b~c' is missing"],
  [
    "VAL-002",
    "/mode",
    "integer from 0 to 511",
    '"rw"',
    "Type mismatch: expected integer, got string",
  ],
  [
    "VAL-002",
    "/path",
    "string, at most 4096 characters",
    "5",
    "Type mismatch: expected string, got integer",
  ],
  ["VAL-002", "/size", "integer", "1.5", "Type mismatch: expected integer, got number"],
  [
    "VAL-002",
    "/due",
    'date-time string such as "2026-01-31T09:30:00Z"',
    "true",
    "Type mismatch: expected date-time string, got boolean",
  ],
  [
    "VAL-002",
    "/tags",
    "array of string, from 1 to 5 items",
    '"a, b"',
    "Type mismatch: expected array, got string",
  ],
  [
    "VAL-002",
    "/note",
    "string or null",
    "{}",
    "Type mismatch: expected string or null, got object",
  ],
  [
    "VAL-002",
    "/to",
    "object with name, mail",
    '["ana", ..., "bo"] (12 items)',
    "Type mismatch: expected object, got array",
  ],
  ["VAL-002", "/pin", "integer", "[redacted]", "Type mismatch: expected integer"],
  ["VAL-002", "/pin", undefined, "null", "Type mismatch: got null"],
  ["VAL-002", "/pin", "stringy", "<host object>", "Type mismatch"],
  ["VAL-003", "/mode", "integer from 0 to 511", "1000", "Value out of range"],
  ["VAL-003", "/amount", "number above 0", "[redacted]", "Value out of range"],
  ["VAL-003", "/step", "integer, a multiple of 5", "7", "Constraint violated"],
  ["VAL-003", "/labels", "object, at most 5 fields", "{...}", "Constraint violated"],
  ["VAL-005", "/pth", "only path, content", undefined, "Unknown field 'pth'"],
  [
    "VAL-006",
    "/tags",
    "array of string, at most 3 items",
    "[1, 2, 3, [4, 5], 6]",
    "Array length 5 exceeds maximum 3",
  ],
  ["VAL-006", "/tags", "array, at least 1 item", "[]", "Array length 0 is below minimum 1"],
  [
    "VAL-006",
    "/tags",
    "array of string, at most 9 characters, from 1 to 5 items",
    '["a", ..., "z"] (12 items)',
    "Array length 12 exceeds maximum 5",
  ],
  ["VAL-006", "/tags", "array, at most 2 items", '["a", ..., "z"]', "Invalid array length"],
  [
    "VAL-006",
    "/tags",
    "array with at least 1 item that is integer",
    '["a", "b"]',
    "Invalid array length",
  ],
  ["VAL-007", "/slug", "string matching ^[a-z]+$", '"A"', "Value doesn't match pattern"],
  ["VAL-008", "/encoding", 'one of "utf-8", "ascii"', '"uft8"', "Invalid enum value"],
  [
    "VAL-009",
    "/content",
    "string, at most 1048576 characters",
    '"Lorem ipsum..." (1500000 characters)',
    "String length 1500000 exceeds maximum 1048576",
  ],
  [
    "VAL-009",
    "/name",
    "string, at least 3 characters",
    '"👩a"',
    "String length 2 is below minimum 3",
  ],
  [
    "VAL-009",
    "/name",
    "string, from 3 to 5 characters",
    '"\\u0000\\n"',
    "String length 2 is below minimum 3",
  ],
  [
    "VAL-009",
    "/name",
    "string, at most 3 characters",
    '"x..." (over 20000000 characters)',
    "Invalid string length",
  ],
  ["VAL-009", "/pass", "string, at least 12 characters", "[redacted]", "Invalid string length"],
  ["VAL-009", "/name", undefined, '"\\x"', "Invalid string length"],
  ["VAL-010", "/mail", "email string", '"ana"', "Invalid format"],
  ["VAL-013", "/parent", "position or line", "{}", "No variant matches"],
  ["VAL-015", "/tags", "items all different", '["a", "a"]', "Duplicate items"],
  ["VAL-004", "", undefined, undefined, undefined],
  ["VAL-011", "", undefined, undefined, undefined],
  ["VAL-012", "", undefined, undefined, undefined],
  ["VAL-014", "/a", undefined, undefined, undefined],
  ["VAL-016", "/a", undefined, undefined, undefined],
])(
  "%s at %s, expected %s, got %s: %s",
  (errorCode, fieldPath, expectedValue, actualValue, message) => {
    expect(
      deriveMessage(errorCode, fieldPath, factsIn(errorCode, expectedValue, actualValue)),
    ).toBe(message);
  },
);

test("any fields give a message without a throw", () => {
  const part = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constant(undefined));
  const code = fc.constantFrom(...(Object.keys(ERROR_CODES) as ErrorCode[]));
  fc.assert(
    fc.property(
      code,
      fc.string(),
      part,
      part,
      (errorCode, fieldPath, expectedValue, actualValue) => {
        const message = deriveMessage(
          errorCode,
          fieldPath,
          factsIn(errorCode, expectedValue, actualValue),
        );
        expect(["string", "undefined"]).toContain(typeof message);
      },
    ),
  );
});
