import { ToolContractError, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { toolContractMiddleware, validCallsOnly, wrapTool, wrapTools } from "./index.ts";
import { loadLab } from "./testing/langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const lab = await loadLab("1.5.14");
const { tool } = spied(lab);

describe("toolContractMiddleware", () => {
  test("is a plain object with two hooks: no node, no state, no extra graph step", () => {
    const middleware = toolContractMiddleware();
    expect(Object.keys(middleware).toSorted()).toEqual(["name", "wrapModelCall", "wrapToolCall"]);
    expect(middleware.name).toBe("toolContractMiddleware");
    expect(toolContractMiddleware({ name: "mine" }).name).toBe("mine");
  });

  test("two of them in one agent need different names", async () => {
    const run = (second: object): Promise<unknown> =>
      runAgent(lab, {
        turns: [{ text: "Hello." }],
        tools: [tool],
        agent: { middleware: [toolContractMiddleware(), toolContractMiddleware(second)] },
      });
    await expect(run({})).rejects.toThrow(/multiple times/);
    await expect(run({ name: "second" })).resolves.toMatchObject({ last: "Hello." });
  });

  // Misuse is reported at once: what, where, and how to fix it.
  test.each([
    [
      { escalate: "explode" },
      `option 'escalate' must be "end" or "drop-tool" or "interrupt" or "throw"`,
    ],
    [{ toolErrors: 5 }, `option 'toolErrors' must be "default", "throw" or a function`],
    [{ schemaFor: {} }, "option 'schemaFor' must be a function"],
    [{ conversationId: "" }, "option 'conversationId' must be a non-empty string"],
    [{ name: "" }, "option 'name' must be a non-empty string"],
    [{ maxAttempt: 2 }, "unknown option 'maxAttempt'. Did you mean 'maxAttempts'?"],
    [{ escalat: "end" }, "unknown option 'escalat'. Did you mean 'escalate'?"],
    [{ maxAttempts: 0 }, "option 'maxAttempts' must be"],
    [{ contract: {} }, "option 'contract' must be what createContract(…) returns"],
    [{ contract: createContract(), maxAttempts: 2 }, "pass either a contract or contract options"],
    [[], "the options must be an object"],
  ])("refuses %j", (options, words) => {
    const make = (): unknown => toolContractMiddleware(options as never);
    expect(make).toThrow(ToolContractError);
    expect(make).toThrow(`toolContractMiddleware: ${words}`);
  });

  test.each([
    ["wrapTool", () => wrapTool(tool, { nope: 1 } as never)],
    ["wrapTools", () => wrapTools([tool], { nope: 1 } as never)],
    ["validCallsOnly", () => validCallsOnly([tool], { nope: 1 } as never)],
  ])("%s refuses an unknown option", (name, make) => {
    expect(make).toThrow(`${name}: unknown option 'nope'`);
  });
});
