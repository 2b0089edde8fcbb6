import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { readResultMarker } from "../attempts/index.ts";
import { createToolResult, resultMarker, toAnthropic, toOpenAI, toToolMessage } from "./result.ts";
import type { ValidationError } from "@toolcontract/explain";

const call = { id: "call_abc123", name: "read_file", arguments: '{"encoding":"uft8"}' };
const content = "Validation failed for tool 'read_file' (attempt 1/3): ...";
const errors: readonly ValidationError[] = [
  {
    errorCode: "VAL-008",
    fieldPath: "/encoding",
    message: "Invalid enum value",
    severity: "error",
    expectedValue: 'one of "utf-8", "ascii", "utf-16"',
    actualValue: '"uft8"',
  },
];
const rejection = createToolResult(
  call,
  { status: "rejected", content, errors, attempt: 1, maxAttempts: 3 },
  "00c0ffee00c0ffee",
);
const execution = createToolResult(call, { status: "executed", content: "milk, eggs" });

describe("createToolResult", () => {
  test("answers an invalid call with an error under its id", () => {
    expect(rejection).toEqual({
      formatVersion: "1.2",
      toolCallId: "call_abc123",
      toolName: "read_file",
      content,
      isError: true,
      status: "rejected",
      errors,
      attempt: 1,
      maxAttempts: 3,
      advisories: [],
    });
    expect(structuredClone(rejection)).toEqual(rejection);
  });

  test.each([
    ["rejected", undefined, true],
    ["rejected", false, true],
    ["blocked", false, true],
    ["executed", undefined, false],
    ["executed", true, true],
  ] as const)("a call that was %s, tool error %s, has isError %s", (status, failed, isError) => {
    const parts = { status, content, ...(failed !== undefined && { isError: failed }) };
    expect(createToolResult(call, parts).isError).toBe(isError);
  });
});

describe("wire shapes", () => {
  test("the contract's message has exactly its four members", () => {
    expect(toToolMessage(rejection)).toStrictEqual({
      role: "tool",
      tool_call_id: "call_abc123",
      content,
      is_error: true,
    });
    expect(toToolMessage(execution).is_error).toBe(false);
  });

  test("OpenAI's has no error flag", () => {
    expect(toOpenAI(rejection)).toStrictEqual({
      role: "tool",
      tool_call_id: "call_abc123",
      content,
    });
  });

  test("Anthropic's has the flag on errors only", () => {
    const block = { type: "tool_result", tool_use_id: "call_abc123" };
    expect(toAnthropic(rejection)).toStrictEqual({ ...block, content, is_error: true });
    expect(toAnthropic(execution)).toStrictEqual({ ...block, content: "milk, eggs" });
  });

  test("no hash goes to the model, nor to whoever copies, prints or serialises a result", () => {
    expect(rejection.argumentsHash).toBe("00c0ffee00c0ffee");
    const copies = [JSON.stringify(rejection), inspect(rejection, { showHidden: true })];
    expect(copies.join("")).not.toContain("c0ffee");
    expect({ ...rejection }).not.toHaveProperty("argumentsHash");
    const wire = [toToolMessage, toOpenAI, toAnthropic].map((toWire) =>
      JSON.stringify(toWire(rejection)),
    );
    expect(wire.join("")).not.toContain("c0ffee");
  });
});

describe("resultMarker", () => {
  test("tells a later count what happened, without values, and can be read back", () => {
    const marker = {
      formatVersion: "1.2",
      status: "rejected",
      argumentsHash: "00c0ffee00c0ffee",
      errors: [
        {
          errorCode: "VAL-008",
          fieldPath: "/encoding",
          summary: "Invalid enum value for 'encoding'",
        },
      ],
    };
    expect(resultMarker(rejection)).toStrictEqual(marker);
    expect(readResultMarker(JSON.parse(JSON.stringify(marker)))).toEqual(marker);
    expect(resultMarker(execution)).toStrictEqual({ formatVersion: "1.2", status: "executed" });
  });
});
