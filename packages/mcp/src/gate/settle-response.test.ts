import { countCost } from "@toolcontract/conformance/cost";
import { describe, expect, test } from "vitest";
import { readResponse } from "../wire/index.ts";
import { readRejection } from "./settle-response.ts";

function result(text: string, isError = true): unknown {
  return { result: { isError, content: [{ type: "text", text }] } };
}

function read(answer: unknown): ReturnType<typeof readRejection> {
  const response = readResponse({ jsonrpc: "2.0", id: 1, ...(answer as object) });
  return response && readRejection(response);
}

// The beginnings of what servers really say, as far as anything hangs on them.
const refusals: readonly (readonly [string, unknown])[] = [
  [
    "SDK v1",
    result("MCP error -32602: Input validation error: Invalid arguments for tool ping: …"),
  ],
  ["SDK v2", result("Input validation error: Invalid arguments for tool ping: n: Invalid input")],
  ["Python's low-level server", result("Input validation error: '5' is not of type 'integer'")],
  [
    "FastMCP",
    result("Error executing tool ping: 1 validation error for pingArguments\nn\n  Field…"),
  ],
  ["SDK v1, an unknown tool", result("MCP error -32602: Tool pong not found")],
  ["FastMCP, an unknown tool", result("Unknown tool: pong")],
  ["a tool not found", result("Tool not found: pong")],
  ["a handler of one's own", { error: { code: -32603, message: "No such tool" } }],
  ["Go", result("json: cannot unmarshal string into Go struct field Args.n of type int")],
  ["Rust", result('invalid type: string "5", expected i64 at line 1 column 8')],
  [".NET", result("The JSON value could not be converted to System.Int32. Path: $.n")],
  ["SDK v2, malformed", { error: { code: -32602, message: "Invalid tools/call request: [ … ]" } }],
  [
    "SDK v1, malformed",
    {
      error: {
        code: -32603,
        message: '[\n  {\n    "expected": "record",\n    "code": "invalid_type",',
      },
    },
  ],
  ["SDK v1, a task", { error: { code: -32602, message: "Invalid task creation result: [ … ]" } }],
];

describe("a server's response to an invalid call", () => {
  test.each(refusals)("%s: a rejection of the arguments, replaced by ours", (_, answer) => {
    expect(read(answer)).toEqual({ extra: [] });
  });

  test("the error of a tool that ran is kept", () => {
    expect(read(result("ENOENT: no such file"))).toEqual({
      extra: [{ type: "text", text: "ENOENT: no such file" }],
    });
    expect(read({ error: { code: -32603, message: "ENOENT" } })).toEqual({
      extra: [{ type: "text", text: "ENOENT" }],
    });
  });

  test.each([
    ["a success", result("Input validation error: as the log says", false)],
    ["a success that does not say so", { result: { content: [] } }],
    ["a question back", { result: { resultType: "input_required", inputRequests: {} } }],
    ["a time-out", { error: { code: -32001, message: "Request timed out" } }],
    ["headers that do not match", { error: { code: -32020, message: "Input validation error" } }],
  ])("%s is no refusal", (_, answer) => {
    expect(read(answer)).toBeUndefined();
  });

  test.each([
    ["no content", { result: { isError: true } }],
    ["content of another form", { result: { isError: true, content: [null, 5] } }],
    ["no message", { error: { code: -32603 } }],
  ])("an error with %s is one", (_, answer) => {
    expect(read(answer)?.extra).toBeInstanceOf(Array);
  });

  test("megabytes of text cost little", () => {
    const cost = countCost();
    for (const unit of ["[{", "Tool ", "validation error ", "invalid type: ", " "])
      read(result(unit.repeat(1_000_000)));
    expect(cost()).toBeLessThan(500);
  });
});
