import { expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode } from "../error-code.ts";
import type { ValidationError } from "../validation-error.ts";
import { formatEscalationSummary, summarizeError } from "./escalation-summary.ts";

function fault(
  errorCode: ErrorCode,
  expectedValue: string,
  actualValue: string,
  fieldPath = "/path",
): ValidationError {
  return { errorCode, fieldPath, message: "m", severity: "error", expectedValue, actualValue };
}

test("scenario 4: a person reads what every attempt failed on", () => {
  const errors = [
    fault("VAL-001", "string", ""),
    fault("VAL-002", "string", "5"),
    fault("VAL-009", "string, at most 4096 characters", '"x..." (5000 characters)'),
  ];
  const history = errors.map((error, index) => ({
    attempt: index + 1,
    argumentsHash: String(index),
    errors: [
      { errorCode: error.errorCode, fieldPath: error.fieldPath, summary: summarizeError(error) },
    ],
  }));
  expect(formatEscalationSummary("read_file", history, 3)).toBe(
    `Tool 'read_file' validation failed after 3 attempts.

Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Attempt 3: String too long for 'path' (max: 4096)

The model was unable to provide valid arguments. Please intervene or provide guidance.`,
  );
});

test("a history that cannot be read leaves the frame", () => {
  expect(formatEscalationSummary("a\nb", null as unknown as [], 1)).toBe(
    "Tool 'a\\nb' validation failed after 1 attempt.\n\nThe model was unable to provide valid arguments. Please intervene or provide guidance.",
  );
});

test.each([
  [fault("VAL-006", "array, at least 2 items", "[]"), "Array too short for 'path' (min: 2)"],
  [fault("VAL-006", "array", "[]"), "Invalid array length for 'path'"],
  [
    fault("VAL-009", "string, at most 9 characters", "[redacted]"),
    "String too long for 'path' (max: 9)",
  ],
  [fault("VAL-003", "integer from 0 to 511", "512"), "Value out of range for 'path'"],
  [fault("VAL-002", "object", "[redacted]", ""), "Type mismatch on the arguments"],
  [fault("VAL-005", "only a", "", "/items/0/pth"), "Unknown field 'items/0/pth'"],
])("%o is summed up as %s", (error, summary) => {
  expect(summarizeError(error)).toBe(summary);
});

test("every code has a summary that is short and holds no value", () => {
  for (const errorCode of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const summary = summarizeError(
      fault(errorCode, "string", '"s3cret"', `/${"long/".repeat(100)}`),
    );
    expect(summary.length).toBeLessThanOrEqual(80);
    expect(summary).not.toContain("s3cret");
  }
});
