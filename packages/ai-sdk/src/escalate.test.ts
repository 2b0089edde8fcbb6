import { createContract, EscalationError } from "@toolcontract/core";
import type { ModelMessage, ToolSet } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

const quiet = { logger: () => undefined };
const bad = (id: string, name = "pay") => ({ calls: [{ id, name, input: '{"amount":"ten"}' }] });
const names = (requests: ReturnType<Sdk["script"]>["requests"]) =>
  requests.map((request) => request.tools?.map(({ name }) => name));

function bank({ ai }: Sdk) {
  return {
    pay: ai.tool({ inputSchema: z.object({ amount: z.int() }), execute: async () => "paid" }),
    balance: ai.tool({ inputSchema: z.object({}), execute: async () => "12 euros" }),
  };
}

describeModes((sdk, mode) => {
  const { withContract, escalationsOf } = sdk.adapter;

  test("drop-tool: the blocked tool is dropped, the model answers, and the result has the escalation", async () => {
    const tools = bank(sdk);
    const onEscalation = vi.fn();
    const model = sdk.script([bad("call_1"), bad("call_2"), bad("call_3"), { text: "How much?" }]);
    const settings = withContract({ ...quiet, onEscalation, tools, stopWhen: steps(8) });
    const result = await sdk.run(mode, { model, settings });
    expect(result.text).toBe("How much?");
    const [pay, balance] = ["pay", "balance"];
    expect(names(model.requests)).toEqual([
      [pay, balance],
      [pay, balance],
      [pay, balance],
      [balance],
    ]);
    expect(escalationsOf(result.steps)).toEqual([onEscalation.mock.calls[0]?.[0]]);
    expect(escalationsOf(result.steps)).toMatchObject([
      {
        status: "blocked",
        toolName: "pay",
        attempts: 3,
        toolCall: { arguments: '{"amount":"ten"}' },
      },
    ]);
    expect(JSON.stringify(escalationsOf(result.steps))).not.toContain("ten");
  });

  test("drop-tool: a call of the dropped tool is blocked, valid or not", async () => {
    const tools = bank(sdk);
    const valid = { calls: [{ id: "call_4", name: "pay", input: '{"amount":10}' }] };
    const model = sdk.script([
      bad("call_1"),
      bad("call_2"),
      bad("call_3"),
      valid,
      { text: "Sorry." },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(8) });
    const { messages, text, steps: ran } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_4")).toMatch(
      /^Validation failed for tool 'pay' \(blocked after 3\/3\):/,
    );
    expect([text, ran.length]).toEqual(["Sorry.", 5]);
    expect(escalationsOf(ran)).toHaveLength(1);
  });

  test("drop-tool: other tools stay, and so does the user's own choice of tools", async () => {
    const tools = { ...bank(sdk), hidden: bank(sdk).balance };
    const model = sdk.script([
      bad("call_1"),
      { calls: [{ id: "call_2", name: "balance", input: "{}" }] },
      { text: "12 euros" },
    ]);
    const options = { ...quiet, tools, maxAttempts: 1, stopWhen: steps(8) };
    const settings = withContract({ ...options, activeTools: ["pay", "balance"] });
    const { text, messages } = await sdk.run(mode, { model, settings });
    expect(text).toBe("12 euros");
    expect(names(model.requests)).toEqual([["pay", "balance"], ["balance"], ["balance"]]);
    expect(textOf(messages, "call_2")).toBe("12 euros");
  });

  const forced = (toolName: "pay" | "balance") => ({ type: "tool", toolName }) as const;
  test.each([
    ["that forces the dropped tool becomes auto", ["pay", "pay"], "auto"],
    ["that forces another tool stays", ["pay", "balance"], "tool"],
    ["that forces no tool by name stays", ["pay", "required"], "required"],
    ["of the application, which may force the dropped tool, becomes auto", ["pay"], "auto"],
  ] as const)("drop-tool: a toolChoice %s", async (_, [first, second], then) => {
    const tools = bank(sdk);
    const balance = { calls: [{ id: "call_2", name: "balance", input: "{}" }] };
    const model = sdk.script([bad("call_1"), balance]);
    const choice = second === "required" ? second : forced(second ?? first);
    const prepareStep = ({ stepNumber }: { readonly stepNumber: number }) => ({
      toolChoice: stepNumber === 0 ? forced(first) : choice,
    });
    const guarded = withContract({
      ...quiet,
      tools,
      maxAttempts: 1,
      ...(second && { prepareStep }),
      stopWhen: steps(2),
    });
    const settings = { ...guarded, ...(!second && { toolChoice: forced(first) }) };
    await sdk.run(mode, { model, settings });
    expect(model.requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(["tool", then]);
  });

  test("stop: the loop ends cleanly with the escalation in the result", async () => {
    const tools = bank(sdk);
    const model = sdk.script([bad("call_1"), bad("call_2"), bad("call_3"), { text: "never" }]);
    const settings = withContract({ ...quiet, tools, escalate: "stop", stopWhen: steps(8) });
    const result = await sdk.run(mode, { model, settings });
    expect(result).toMatchObject({ text: "", steps: { length: 3 } });
    expect(result.steps.at(-1)).toMatchObject({ finishReason: "tool-calls" });
    expect(escalationsOf(result.steps)).toMatchObject([{ toolCallId: "call_3" }]);
  });

  test("throw: the run fails with a typed error that carries the escalation, even if the loop would have ended", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const tools = bank(sdk);
    const model = sdk.script([bad("call_1"), bad("call_2"), bad("call_3"), { text: "never" }]);
    const settings = withContract({ ...quiet, tools, escalate: "throw", stopWhen: steps(3) });
    const thrown: unknown = await sdk
      .run(mode, { model, settings })
      .catch((error: unknown) => error);
    expect(EscalationError.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject({ escalation: { toolCallId: "call_3", attempts: 3 } });
    expect(model.requests).toHaveLength(3);
  });

  test("invented tool names count towards the limit", async () => {
    const tools = bank(sdk);
    const model = sdk.script(
      ["open", "load", "fetch", "read"].map((name, index) => bad(`call_${index + 1}`, name)),
    );
    const settings = withContract({ ...quiet, tools, escalate: "stop", stopWhen: steps(8) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    expect(ran).toHaveLength(3);
    expect(textOf(messages, "call_3")).toContain("(VAL-012): Unknown tool 'fetch'");
    expect(escalationsOf(ran)).toHaveLength(1);
  });
});

describeModes((sdk, mode) => {
  const { withContract, escalationsOf } = sdk.adapter;
  const script = () => sdk.script(Array.from({ length: 30 }, (_, index) => bad(`call_${index}`)));

  test("stop: the loop needs no stop conditions from the user", async () => {
    const settings = withContract({ ...quiet, tools: bank(sdk), escalate: "stop" });
    const { steps: ran } = await sdk.run(mode, { model: script(), settings });
    expect(ran).toHaveLength(3);
    expect(escalationsOf(ran)).toHaveLength(1);
  });

  test("throw: the loop needs no stop conditions from the user", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const settings = withContract({ ...quiet, tools: bank(sdk), escalate: "throw" });
    const run = sdk.run(mode, { model: script(), settings });
    await expect(run).rejects.toMatchObject({ escalation: { toolCallId: "call_2" } });
  });

  test("without any stop condition the loop ends after 20 steps", async () => {
    const calls = [{ id: "call_1", name: "balance", input: "{}" }];
    const model = sdk.script(Array.from({ length: 30 }, () => ({ calls })));
    const settings = withContract({ ...quiet, tools: bank(sdk) });
    expect((await sdk.run(mode, { model, settings })).steps).toHaveLength(20);
  });

  test("throw: if a call waits for the client, the loop ends with the escalation in the result", async () => {
    const ask = sdk.ai.tool({ inputSchema: z.object({}) }) as ToolSet[string];
    const { calls } = bad("call_1");
    const model = sdk.script([
      { calls: [...calls, { id: "call_2", name: "ask", input: "{}" }] },
      { text: "never" },
    ]);
    const tools = { ...bank(sdk), ask };
    const settings = withContract({ ...quiet, tools, maxAttempts: 1, escalate: "throw" });
    const { steps: ran } = await sdk.run(mode, { model, settings });
    expect(ran).toHaveLength(1);
    expect(escalationsOf(ran)).toMatchObject([{ toolCallId: "call_1" }]);
  });

  test.each([
    ["two calls of one tool", ["pay", "pay"], 1],
    ["two calls of two tools", ["pay", "send"], 2],
    ["two calls of invented names", ["open", "load"], 1],
  ])("%s in the last turn escalate once for each tool", async (_, called, times) => {
    const onEscalation = vi.fn();
    const tools = { ...bank(sdk), send: bank(sdk).pay };
    const turns = [1, 2, 3].map((turn) => ({
      calls: called.flatMap((name, index) => bad(`call_${turn}_${index}`, name).calls),
    }));
    const settings = withContract({ ...quiet, onEscalation, tools, escalate: "stop" });
    const { steps: ran } = await sdk.run(mode, { model: sdk.script(turns), settings });
    expect(onEscalation).toHaveBeenCalledTimes(times);
    expect(escalationsOf(ran)).toHaveLength(times);
  });

  test("the same contract escalates again in another run", async () => {
    const onEscalation = vi.fn();
    const contract = createContract({ ...quiet, onEscalation });
    for (const run of [1, 2]) {
      const settings = withContract({ contract, tools: bank(sdk), escalate: "stop" });
      await sdk.run(mode, { model: script(), settings });
      expect(onEscalation).toHaveBeenCalledTimes(run);
    }
  });

  test("runs on the same array of messages each escalate", async () => {
    const onEscalation = vi.fn();
    const messages: ModelMessage[] = [{ role: "user", content: "Pay ten." }];
    const prepareStep = () => ({ messages });
    const options = {
      ...quiet,
      onEscalation,
      maxAttempts: 1,
      prepareStep,
      escalate: "stop",
    } as const;
    const settings = withContract({ ...options, tools: bank(sdk) });
    for (const run of [1, 2]) {
      await sdk.run(mode, { model: script(), settings });
      expect(onEscalation).toHaveBeenCalledTimes(run);
    }
  });

  test("attempts that the user's own prepareStep prunes from the messages still count", async () => {
    const tools = bank(sdk);
    const model = sdk.script([bad("call_1"), bad("call_2"), bad("call_3"), { text: "How much?" }]);
    const prepareStep = ({ messages }: { messages: ModelMessage[] }) => ({
      messages: messages.slice(0, 1),
    });
    const settings = withContract({ ...quiet, tools, prepareStep, stopWhen: steps(8) });
    const { steps: ran, text } = await sdk.run(mode, { model, settings });
    expect(text).toBe("How much?");
    expect(escalationsOf(ran)).toMatchObject([{ toolCallId: "call_3", attempts: 3 }]);
    expect(names(model.requests).at(-1)).toEqual(["balance"]);
    expect(model.requests.at(-1)?.prompt).toHaveLength(1);
  });
});

describeModes(
  (sdk, mode) => {
    test("throw: if a call waits for approval, the loop ends with the escalation in the result", async () => {
      const { pay } = bank(sdk);
      const send = sdk.ai.tool({
        inputSchema: z.object({}),
        needsApproval: true,
        execute: () => 1,
      });
      const { calls } = bad("call_1");
      const model = sdk.script([
        { calls: [...calls, { id: "call_2", name: "send", input: "{}" }] },
        { text: "never" },
      ]);
      const options = {
        ...quiet,
        tools: { pay, send },
        maxAttempts: 1,
        escalate: "throw",
      } as const;
      const settings = sdk.adapter.withContract(options);
      const { steps: ran } = await sdk.run(mode, { model, settings });
      expect(ran).toHaveLength(1);
      expect(sdk.adapter.escalationsOf(ran)).toMatchObject([{ toolCallId: "call_1" }]);
    });
  },
  { 5: "approvals are new in version 6" },
);
