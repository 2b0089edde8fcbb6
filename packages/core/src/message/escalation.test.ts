import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { AttemptRecord } from "../shared/index.ts";
import { ERROR_CODES, type ErrorCode, type ValidationError } from "@toolcontract/explain";
import { summarize, readFacts } from "@toolcontract/explain/adapter";
import { EscalationError, createEscalation, formatEscalationSummary } from "./escalation.ts";

const SECRET = "hunter2";
const toolCall = {
  id: "call_abc123",
  name: "login",
  arguments: { user: "ada", password: SECRET },
};
const history: readonly AttemptRecord[] = [1, 2, 3].map((attempt) => ({
  attempt,
  argumentsHash: `c0ffee0${attempt}`,
  siblingHashes: ["c0ffee09"],
  errors: [
    { errorCode: "VAL-001", fieldPath: "/realm", summary: "Missing required field 'realm'" },
  ],
}));

function create(): ReturnType<typeof createEscalation> {
  return createEscalation({
    toolName: "login",
    toolCall,
    attempts: 3,
    maxAttempts: 3,
    history,
    correlationId: "abc-123",
  });
}

describe("createEscalation", () => {
  test("is blocked, with the whole history and a summary", () => {
    expect(create()).toMatchObject({
      status: "blocked",
      lane: "validation",
      formatVersion: "1.2",
      toolName: "login",
      toolCallId: "call_abc123",
      attempts: 3,
      maxAttempts: 3,
      correlationId: "abc-123",
      history,
    });
    expect(create().summary).toContain("Tool 'login' validation failed after 3 attempts.");
    expect(create().summary).toContain("Attempt 3: Missing required field 'realm'");
  });

  test("gives the original call to code that reads its arguments by name", () => {
    const escalation = create();
    expect(escalation.toolCall).toMatchObject({ id: "call_abc123", name: "login" });
    expect(escalation.toolCall.arguments).toBe(toolCall.arguments);
  });

  const escalation = create();
  const error = new EscalationError(escalation);
  test.each([
    ["JSON.stringify", () => JSON.stringify({ escalation })],
    ["JSON.stringify of its call", () => JSON.stringify(escalation.toolCall)],
    ["util.inspect", () => inspect(escalation, { depth: Infinity })],
    [
      "util.inspect of hidden members",
      () => inspect(escalation, { depth: Infinity, showHidden: true }),
    ],
    [
      "a spread",
      () => inspect({ ...escalation, toolCall: { ...escalation.toolCall } }, { depth: Infinity }),
    ],
    [
      "Object.entries",
      () => JSON.stringify(Object.entries(escalation).concat(Object.entries(escalation.toolCall))),
    ],
    ["structuredClone", () => inspect(structuredClone(escalation), { depth: Infinity })],
    ["the error's message and stack", () => `${error.message}\n${error.stack}`],
    ["util.inspect of the error", () => inspect(error, { depth: Infinity, showHidden: true })],
    ["JSON.stringify of the error", () => JSON.stringify(error)],
    ["structuredClone of the error", () => inspect(structuredClone(error), { depth: Infinity })],
  ])("leaves the arguments out of %s", (_, show) => {
    expect(show()).not.toContain(SECRET);
  });

  test("its JSON contains no hash, which could be guessed back, and no overlong name", () => {
    const invented = createEscalation({
      toolName: "(unknown)",
      toolCall: { ...toolCall, name: "x".repeat(1_000_000) },
      attempts: 3,
      maxAttempts: 3,
      history,
    });
    const json = JSON.stringify(invented);
    expect(json).not.toContain("c0ffee");
    expect(json.length).toBeLessThan(1_000);
    expect(JSON.parse(JSON.stringify(create()))).toEqual({
      status: "blocked",
      lane: "validation",
      formatVersion: "1.2",
      toolName: "login",
      toolCallId: "call_abc123",
      attempts: 3,
      maxAttempts: 3,
      summary: create().summary,
      correlationId: "abc-123",
      history: history.map(({ attempt, errors }) => ({ attempt, errors })),
      toolCall: { id: "call_abc123", name: "login" },
    });
  });
});

describe("EscalationError", () => {
  test("carries the escalation and names the tool", () => {
    const escalation = create();
    const error = new EscalationError(escalation, { cause: "stop" });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "EscalationError", formatVersion: "1.2", cause: "stop" });
    expect(error.escalation).toBe(escalation);
    expect(error.message).toBe("Tool 'login' is blocked after attempt 3");
  });

  test("is recognized across duplicated installs, and nothing else is", () => {
    const foreign = { [Symbol.for("toolcontract.escalation")]: true };
    const values = [
      new EscalationError(create()),
      foreign,
      new Error("no"),
      null,
      undefined,
      "text",
    ];
    expect(values.map((value) => EscalationError.isInstance(value))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

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
  const records = errors.map((error, index) => ({
    attempt: index + 1,
    argumentsHash: String(index),
    errors: [
      {
        errorCode: error.errorCode,
        fieldPath: error.fieldPath,
        summary: summarize(error, readFacts(error)),
      },
    ],
  }));
  expect(formatEscalationSummary("read_file", records, 3)).toBe(
    `Tool 'read_file' validation failed after 3 attempts.

Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Attempt 3: String too long for 'path' (max: 4096)

The model was unable to provide valid arguments. Please intervene or provide guidance.`,
  );
});

test("an unreadable history leaves the rest of the summary", () => {
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
])("%o is summarized as %s", (error, summary) => {
  expect(summarize(error, readFacts(error))).toBe(summary);
});

test("every code has a short summary without a value", () => {
  for (const errorCode of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const error = fault(errorCode, "string", '"s3cret"', `/${"long/".repeat(100)}`);
    const summary = summarize(error, readFacts(error));
    expect(summary.length).toBeLessThanOrEqual(80);
    expect(summary).not.toContain("s3cret");
  }
});
