import { ToolContractError, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { toolContractMiddleware, wrapTool, wrapTools } from "./index.ts";
import { loadLab } from "./testing/langchain.ts";
import { runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const lab = await loadLab("newest");
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
    [{ model: "gpt" }, "unknown option 'model'. Pass it to createAgent."],
    [{ prompt: "Hi" }, "unknown option 'prompt'. Pass it to createAgent."],
    [{ system_prompt: "Hi" }, "unknown option 'system_prompt'. Pass it to createAgent."],
    [{ tools: [] }, "unknown option 'tools'. The tools go to createAgent, or before the options"],
    [{ tool: [] }, "unknown option 'tool'. The tools go to createAgent, or before the options"],
    [
      { maxSteps: 5 },
      "unknown option 'maxSteps'. Pass recursionLimit to invoke, such as agent.invoke(input, { recursionLimit: 25 }).",
    ],
    [
      { threadId: "7" },
      "unknown option 'threadId'. Pass { configurable: { thread_id } } to invoke",
    ],
    [{ handleToolErrors: true }, "unknown option 'handleToolErrors'. Pass 'toolErrors' to tool"],
    [{ maxRetries: 2 }, "unknown option 'maxRetries'. Pass 'maxAttempts'"],
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
  ])("%s refuses an unknown option", (name, make) => {
    expect(make).toThrow(`${name}: unknown option 'nope'`);
  });

  test.each([
    ["escalate", "Pass it to toolContractMiddleware."],
    ["toolErrors", "Pass it to toolContractMiddleware."],
    ["tools", "The tools go to createAgent, or before the options"],
    ["model", "Pass it to createAgent."],
    ["maxSteps", "Pass recursionLimit to invoke"],
    ["prompts", "Pass it to createAgent."],
  ])("wrapTool and wrapTools say where %s goes", (name, advice) => {
    const options = { [name]: [] } as never;
    for (const make of [() => wrapTool(tool, options), () => wrapTools([tool], options)]) {
      expect(make).toThrow(`unknown option '${name}'. ${advice}`);
      expect(make).not.toThrow("The options are");
    }
  });
});

test("the middleware without its parentheses throws", () => {
  const create = () =>
    lab.langchain.createAgent({
      model: lab.script([]).model,
      tools: [],
      middleware: [toolContractMiddleware as never],
    });
  expect(create).toThrow("call it, as in middleware: [toolContractMiddleware()]");
});
