import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { ToolContractError } from "@toolcontract/core";
import { expect, test, vi } from "vitest";
import { RunError, TurnFailed } from "../shared/index.ts";
import { exitCodeOf } from "./index.ts";

const thrownBy = async (run: () => unknown): Promise<unknown> => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
const withFields = (fields: object, message = "failed"): Error =>
  Object.assign(new Error(message), fields);

test.each([
  ["a run with a report", { success: true, finalReport: {} }, 0],
  ["a run without one", { success: false, finalReport: { status: "failure" } }, 1],
  ["a run that ended at a key", { success: false, error: "401: invalid arguments" }, 1],
  ["a wrong option", new ToolContractError("unknown option"), 4],
  [
    "a wrong option below another error",
    new Error("start", { cause: new ToolContractError("x") }),
    4,
  ],
  ["an issue of a validator", withFields({ name: "ZodError", issues: [] }), 5],
  ["a value that the SDK's schema refused", withFields({ name: "AI_TypeValidationError" }), 5],
  ["an MCP server that closed its connection", withFields({ name: "McpError", code: -32_000 }), 3],
  ["an MCP server that did not answer", withFields({ name: "McpError", code: -32_001 }), 3],
  ["an MCP server that refused a call", withFields({ name: "McpError", code: -32_602 }), 1],
  ["a program that is not there", withFields({ code: "ENOENT", syscall: "spawn npx" }), 3],
  [
    "a server that is not there",
    new TypeError("fetch failed", { cause: withFields({ syscall: "connect" }) }),
    3,
  ],
  ["a file that is not there", withFields({ code: "ENOENT", syscall: "open" }), 1],
  ["a part that did not start", new RunError("not-started", "schema: invalid arguments"), 3],
  ["a wrong configuration", new RunError("configuration", "the server did not start"), 4],
  ["a schema of which nothing can be used", new RunError("schema", "not started"), 5],
  ["a failure of another kind", new RunError("failed", "invalid arguments"), 1],
  ["a category of a later version", new RunError("later" as never, "schema"), 1],
  [
    "a category above a cause of another",
    new RunError("schema", "x", { cause: new RunError("not-started", "y") }),
    5,
  ],
  [
    "a category above a cause that alone would be another",
    new RunError("failed", "x", { cause: withFields({ syscall: "spawn npx" }) }),
    1,
  ],
  ["a category below another error", new Error("x", { cause: new RunError("schema", "y") }), 5],
  ["a turn that failed", new TurnFailed("network", "down", { attempts: 3 }), 1],
  [
    "words that name another category",
    new Error("Invalid configuration: schema validation failed"),
    1,
  ],
  ["a string", "invalid arguments", 1],
  ["nothing", undefined, 1],
  ["null", null, 1],
])("%s", (_, resultOrError, code) => {
  expect(exitCodeOf(resultOrError)).toBe(code);
});

test("errors that Node throws itself", async () => {
  const flag = await thrownBy(() => parseArgs({ args: ["--nope"], options: {} }));
  expect(exitCodeOf(flag)).toBe(4);
  const program = await thrownBy(async () => promisify(execFile)("/nowhere/mcp-server"));
  expect(exitCodeOf(program)).toBe(3);
});

test("a RunError of another copy of the package is recognised", async () => {
  vi.resetModules();
  const other = await import("../shared/index.ts");
  const error = new other.RunError("not-started", "files did not start");
  expect(error).not.toBeInstanceOf(RunError);
  expect([RunError.isInstance(error), exitCodeOf(error)]).toEqual([true, 3]);
  const named = withFields({ name: "RunError", category: "not-started" });
  expect([RunError.isInstance(named), exitCodeOf(named)]).toEqual([false, 1]);
});

test("causes in a circle", () => {
  const error = withFields({});
  error.cause = error;
  expect(exitCodeOf(error)).toBe(1);
});
