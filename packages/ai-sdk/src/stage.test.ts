import type { ExecutionStage, StagedCall } from "@toolcontract/core/stage";
import { CallFailedError, createContract } from "@toolcontract/core";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { answerOf } from "./index.ts";
import { outputOf, steps, textOf } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

const quiet = { logger: () => undefined };
const call = (id: string, amount: number) => ({ id, name: "pay", input: `{"amount":${amount}}` });

/** Refuses amounts above 100 by the arguments alone, and those above 10 by what came of them. */
function stageOf(seen: StagedCall[] = []): ExecutionStage {
  const amountOf = (args: unknown): number => (args as { readonly amount: number }).amount;
  return {
    name: "limits",
    lanes: { guardrail: 2, outcome: 2 },
    check: (args) =>
      amountOf(args) > 100
        ? { action: "retry", lane: "guardrail", errors: [{ message: "too much" }] }
        : undefined,
    async around(staged) {
      seen.push(staged);
      const value = await staged.run();
      return amountOf(staged.args) > 10
        ? { action: "retry", lane: "outcome", errors: [{ message: "refused" }], undone: "all" }
        : { action: "return", value };
    },
  };
}

function paying({ ai }: Sdk, execute: (input: unknown) => unknown) {
  const inputSchema = z.object({ amount: z.number() });
  return { pay: ai.tool({ inputSchema, execute }) };
}

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test.each([
    ["that unrelated users may share", {}, false],
    ["that the application named", { conversationId: "chat-7" }, undefined],
  ])("a stage hears of a conversation %s", async (_, named, knows) => {
    const seen: StagedCall[] = [];
    const tools = paying(sdk, async () => "paid");
    const guarded = withContract({ ...quiet, ...named, guardrails: stageOf(seen), tools });
    const model = sdk.script([{ calls: [call("call_1", 5)] }, { text: "Done." }]);
    await sdk.run(mode, { model, settings: { ...guarded, stopWhen: steps(2) } });
    expect(seen.map(({ knowsConversation }) => knowsConversation)).toEqual([knows]);
  });

  test("what a stage refuses before or after the run is the SDK's own error, and the tool is dropped", async () => {
    const execute = vi.fn(async () => "paid");
    const model = sdk.script([
      { calls: [call("call_1", 500)] },
      { calls: [call("call_2", 50)] },
      { calls: [call("call_3", 5)] },
      { calls: [call("call_4", 501)] },
      { calls: [call("call_5", 502)] },
      { text: "Done." },
    ]);
    const tools = { ...paying(sdk, execute), look: paying(sdk, execute).pay };
    const settings = withContract({ ...quiet, tools, guardrails: stageOf(), stopWhen: steps(8) });
    const { messages, text } = await sdk.run(mode, { model, settings });
    expect(text).toBe("Done.");
    expect(execute).toHaveBeenCalledTimes(2);
    const headers = ["call_1", "call_2", "call_3", "call_4", "call_5"].map(
      (id) => textOf(messages, id).split("\n")[0],
    );
    expect(headers).toEqual([
      "Guardrail failed for tool 'pay' (attempt 1/2):",
      "Outcome failed for tool 'pay' (attempt 1/2):",
      "paid",
      "Guardrail failed for tool 'pay' (attempt 1/2):",
      "Guardrail failed for tool 'pay' (attempt 2/2):",
    ]);
    expect(outputOf(messages, "call_2")?.type).toBe("error-text");
    expect(model.requests.at(-1)?.tools?.map(({ name }) => name)).toEqual(["look"]);
  });

  test("a stream of results is shown only once the stage has agreed", async () => {
    async function* stream(): AsyncGenerator<string> {
      yield "half";
      yield "whole";
    }
    const model = sdk.script([{ calls: [call("call_1", 50)] }, { calls: [call("call_2", 5)] }]);
    const tools = paying(sdk, () => stream());
    const settings = withContract({ ...quiet, tools, guardrails: stageOf(), stopWhen: steps(2) });
    const { messages, chunks } = await sdk.run(mode, { model, settings });
    expect(outputOf(messages, "call_2")?.value).toBe("whole");
    expect(JSON.stringify([messages, chunks])).not.toContain("half");
  });

  test("a tool that failed, as the stage says, is the SDK's own error and no answer of the contract", async () => {
    const message = "the bank is offline";
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      around: async ({ run }) => ({ action: "fail", value: await run(), message, undone: "all" }),
    };
    const tools = paying(sdk, async () => "paid");
    const model = sdk.script([{ calls: [call("call_1", 5)] }, { text: "Done." }]);
    const settings = withContract({ ...quiet, tools, guardrails, stopWhen: steps(3) });
    const { messages, chunks } = await sdk.run(mode, { model, settings });
    expect(outputOf(messages, "call_1")).toEqual({
      type: "error-text",
      value: `Tool 'pay' failed: ${message}\nAll its state changes were undone.`,
    });
    expect(JSON.stringify([messages, chunks])).not.toContain("paid");
  });

  test("a tool that failed without a message shows what it returned", async () => {
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      around: async ({ run }) => ({ action: "fail", value: await run() }),
    };
    const tools = paying(sdk, async () => "no money");
    const model = sdk.script([{ calls: [call("call_1", 5)] }, { text: "Done." }]);
    const settings = withContract({ ...quiet, tools, guardrails, stopWhen: steps(3) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(outputOf(messages, "call_1")?.value).toBe("no money");
  });

  test("an abort inside a stage ends the run and is not counted", async () => {
    const contract = createContract({ ...quiet, guardrails: stageOf() });
    const controller = new AbortController();
    const tools = paying(sdk, async () => {
      controller.abort(new Error("the user closed the tab"));
      throw controller.signal.reason;
    });
    const model = sdk.script([{ calls: [call("call_1", 5)] }]);
    const settings = withContract({ contract, tools, stopWhen: steps(2) });
    const { signal } = controller;
    await sdk.run(mode, { model, settings, abortSignal: signal }).catch(() => undefined);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
  });
});

describeVersions((sdk) => {
  const { withContract } = sdk.adapter;
  const options = { toolCallId: "call_1", messages: [] } as never;

  test("without a stage a tool's own stream reaches the SDK as it is, and what its promise gives", async () => {
    for (const output of [Promise.resolve("paid"), (async function* () {})(), "paid"]) {
      const { tools } = withContract({ ...quiet, tools: paying(sdk, () => output) });
      const given: unknown = tools.pay.execute?.({ amount: 5 }, options);
      // A promise is watched: the failure that closes its tool is answered by the contract.
      if (output instanceof Promise) expect(await given).toBe(await output);
      else expect(given).toBe(output);
    }
  });

  test("a tool that the application calls by hand is judged by the stage too", async () => {
    const execute = vi.fn(async () => "paid");
    const given = { ...quiet, tools: paying(sdk, execute), guardrails: stageOf() };
    const { pay } = withContract(given).tools;
    const run = async (amount: number): Promise<unknown> =>
      pay.execute?.({ amount }, undefined as never);
    expect(await run(5)).toBe("paid");
    await expect(run(50)).rejects.toThrow("Outcome failed for tool 'pay'");
    await expect(run(500)).rejects.toThrow("Guardrail failed for tool 'pay'");
    expect(execute).toHaveBeenCalledTimes(2);
  });

  test("the failure of a tool that is called by hand says so in message and toString()", async () => {
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      around: () => ({ action: "fail", value: undefined, message: "offline" }),
    };
    const given = { ...quiet, tools: paying(sdk, async () => "paid"), guardrails };
    const run = async (): Promise<unknown> =>
      withContract(given).tools.pay.execute?.({ amount: 5 }, options);
    const thrown: unknown = await run().catch((error: unknown) => error);
    expect(CallFailedError.isInstance(thrown)).toBe(true);
    expect([String(thrown), (thrown as Error).message]).toEqual([
      "Tool 'pay' failed: offline",
      "Tool 'pay' failed: offline",
    ]);
    expect(answerOf({ error: thrown })).toBeUndefined();
  });

  test("the stage knows the call, and a repaired call is admitted once", async () => {
    const seen: StagedCall[] = [];
    const contract = createContract({ ...quiet, guardrails: stageOf(seen) });
    const model = sdk.script([{ calls: [{ ...call("call_1", 5), input: "{amount: 5}" }] }]);
    const tools = paying(sdk, async () => "paid");
    const settings = withContract({ contract, tools, conversationId: "c", stopWhen: steps(1) });
    await sdk.run("generateText", { model, settings });
    expect(seen).toMatchObject([
      { tool: "pay", callId: "call_1", conversationId: "c", args: { amount: 5 }, attempt: 1 },
    ]);
    expect(contract.metrics()).toMatchObject({ calls: 1, admitted: 1 });
  });

  test("a run that is repeated runs the tool again", async () => {
    const execute = vi
      .fn<(input: unknown) => Promise<string>>(async () => "paid")
      .mockRejectedValueOnce(new Error("busy"));
    const guardrails: ExecutionStage = {
      name: "again",
      lanes: { outcome: 2 },
      async around({ run, runsOnce }) {
        const value: unknown = await Promise.resolve(run()).catch(run);
        return { action: "return", value: [runsOnce, value] };
      },
    };
    const { pay } = withContract({ ...quiet, tools: paying(sdk, execute), guardrails }).tools;
    expect(await pay.execute?.({ amount: 5 }, options)).toEqual([false, "paid"]);
    expect(execute.mock.calls.map(([input]) => input)).toEqual([{ amount: 5 }, { amount: 5 }]);
  });

  test("a stage may call another tool: its own function, beside the contract, whatever was aborted", async () => {
    const controller = new AbortController();
    const back = vi.fn<(...given: unknown[]) => AsyncGenerator<string>>(async function* () {
      yield "half";
      yield "paid back";
    });
    const seen: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "undo",
      lanes: { outcome: 2 },
      async around({ run, callTool, args }) {
        const value = await run();
        controller.abort();
        seen.push(await callTool?.("pay_back", args as Record<string, unknown>));
        seen.push(await callTool?.("rob", {}).catch((error: unknown) => String(error)));
        return { action: "return", value };
      },
    };
    const inputSchema = z.object({ amount: z.number() });
    const tools = {
      ...paying(sdk, async () => "paid"),
      pay_back: sdk.ai.tool({ inputSchema, execute: back }),
    };
    const contract = createContract({ ...quiet, guardrails });
    const { pay } = withContract({ contract, tools }).tools;
    const given = { toolCallId: "call_1", messages: [], experimental_context: "shop" };
    await pay.execute?.({ amount: 5 }, { ...given, abortSignal: controller.signal } as never);
    expect(seen[0]).toBe("paid back");
    expect(seen[1]).toMatch("callTool: no tool 'rob' with an `execute`");
    expect(back.mock.calls).toEqual([[{ amount: 5 }, { ...given, toolCallId: "call_1:pay_back" }]]);
    expect(contract.metrics()).toMatchObject({ calls: 1 });
  });

  test("the check knows whether a tool runs here or in a client", async () => {
    const seen: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { guardrail: 2 },
      check: (_, { tool, runsHere, callId }) => void seen.push([tool, runsHere, callId]),
    };
    const inputSchema = z.object({ amount: z.number() });
    const ask = sdk.ai.tool({ inputSchema } as never) as never;
    const tools = { ...paying(sdk, async () => "paid"), ask };
    const made = (input: string) => [
      { calls: [{ id: "1", name: "pay", input }] },
      { calls: [{ id: "2", name: "ask", input }] },
    ];
    for (const input of ['{"amount":5}', "{amount: 5}"]) {
      const model = sdk.script(made(input));
      const settings = withContract({ ...quiet, tools, guardrails, stopWhen: steps(2) });
      await sdk.run("generateText", { model, settings });
    }
    expect(seen.map((one) => JSON.stringify(one))).toEqual(
      expect.arrayContaining(['["pay",true,null]', '["ask",false,null]', '["ask",false,"2"]']),
    );
    const places = new Set(seen.map((one) => JSON.stringify((one as unknown[]).slice(0, 2))));
    expect([...places]).toEqual(['["pay",true]', '["ask",false]']);
  });

  test("a repaired call whose tool the stage has closed meanwhile does not run", async () => {
    const execute = vi.fn(async () => "paid");
    const contract = createContract({ ...quiet, guardrails: stageOf() });
    const { tools, repairToolCall } = withContract({ contract, tools: paying(sdk, execute) });
    const toolCall = {
      type: "tool-call",
      toolCallId: "call_1",
      toolName: "pay",
      input: "{amount: 5}",
    };
    const repaired = await repairToolCall({
      toolCall,
      tools,
      error: new Error("malformed"),
      messages: [],
    } as never);
    expect(repaired).toMatchObject({ input: '{"amount":5}' });
    const closed = [1, 2].flatMap((number) => {
      const place = { toolCallId: `old_${number}`, toolName: "pay" };
      const end =
        number === 2
          ? "Do not call 'pay' again for this request: tell the user what is missing, or continue without it."
          : "Correct these and call 'pay' again with all arguments.";
      const value = `Outcome failed for tool 'pay' (attempt ${number}/2):\n\nErrors:\n• (arguments) (VAL-016): refused\n\n${end}`;
      return [
        { role: "assistant", content: [{ type: "tool-call", ...place, input: { amount: 50 } }] },
        {
          role: "tool",
          content: [{ type: "tool-result", ...place, output: { type: "error-text", value } }],
        },
      ];
    });
    const given = { toolCallId: "call_1", messages: closed } as never;
    const run = async (): Promise<unknown> => tools.pay.execute?.({ amount: 5 }, given);
    await expect(run()).rejects.toThrow("Outcome failed for tool 'pay' (blocked after 2/2):");
    expect(execute).not.toHaveBeenCalled();
  });

  test("a client-side tool gets no call that the stage refuses by its arguments", async () => {
    const onInputAvailable = vi.fn();
    const inputSchema = z.object({ amount: z.number() });
    const pay = sdk.ai.tool({ inputSchema, onInputAvailable } as never);
    const model = sdk.script([{ calls: [call("call_1", 500)] }, { calls: [call("call_2", 5)] }]);
    const tools = { pay: pay as never };
    const settings = withContract({ ...quiet, tools, guardrails: stageOf(), stopWhen: steps(2) });
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(textOf(messages, "call_1")).toContain("Guardrail failed");
    expect(onInputAvailable).toHaveBeenCalledOnce();
  });

  test("calls too many in a turn do not run", async () => {
    const execute = vi.fn(async () => "paid");
    const calls = [1, 2, 3].map((number) => call(`call_${number}`, number));
    const model = sdk.script([{ calls }]);
    const given = { ...quiet, tools: paying(sdk, execute), maxCallsPerTurn: 2 };
    const settings = withContract({ ...given, stopWhen: steps(1) });
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(execute).toHaveBeenCalledTimes(2);
    expect(textOf(messages, "call_3")).toBe(
      "(tool failed: too many tool calls in one turn; limit is 2)",
    );
  });
});

describe("the names of the tools", () => {
  test("are checked as soon as they are known", async () => {
    const { withContract } = await import("./index.ts");
    const guardrails: ExecutionStage = {
      ...stageOf(),
      checkTools(names) {
        throw new Error(`known: ${names.join()}`);
      },
    };
    expect(() => withContract({ tools: { pay: {} as never }, guardrails })).toThrow("known: pay");
  });
});

describeModes(
  (sdk, mode) => {
    test("nobody is asked to approve a call that the stage refuses by its arguments", async () => {
      const execute = vi.fn(async () => "paid");
      const [pay] = Object.values(paying(sdk, execute));
      const tools = { pay: { ...pay, needsApproval: true } as never };
      const guarded = { ...quiet, tools, guardrails: stageOf(), stopWhen: steps(2) };
      const settings = sdk.adapter.withContract(guarded);
      const model = sdk.script([{ calls: [call("call_1", 500)] }, { calls: [call("call_2", 5)] }]);
      const { messages } = await sdk.run(mode, { model, settings });
      expect(textOf(messages, "call_1")).toContain("Guardrail failed");
      const asked = JSON.stringify(messages).match(/tool-approval-request/g);
      expect(asked).toHaveLength(1);
      expect(execute).not.toHaveBeenCalled();
    });
  },
  { 5: "approvals are new in version 6" },
);
