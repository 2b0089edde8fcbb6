import { createContract, parseRejection } from "@toolcontract/core";
import type { ToolSet } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { outputOf, steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

const quiet = { logger: () => undefined };
const call = (id: string, name: string, input: string) => ({ id, name, input });

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test("a client gets valid calls only; an invalid one is answered at once and the loop continues", async () => {
    const onInputAvailable = vi.fn();
    const ask = sdk.ai.tool({
      inputSchema: sdk.ai.jsonSchema({
        type: "object",
        properties: { question: { type: "string" } },
        required: ["question"],
      }),
      onInputAvailable,
    });
    const model = sdk.script([
      { calls: [call("call_1", "ask", "{}")] },
      { calls: [call("call_2", "ask", '{"question":"Which file?"}')] },
      { text: "never reached" },
    ]);
    const settings = withContract({
      ...quiet,
      tools: { ask: ask as ToolSet[string] },
      stopWhen: steps(8),
    });
    const { messages, steps: ran, chunks } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))).toMatchObject({ attempt: 1 });
    expect(outputOf(messages, "call_2")).toBeUndefined();
    expect(ran).toHaveLength(2);
    expect(onInputAvailable.mock.calls.map(([{ toolCallId }]) => toolCallId)).toEqual(["call_2"]);
    const offered = chunks.flatMap((chunk) =>
      chunk.type === "tool-input-available" ? [chunk.toolCallId] : [],
    );
    if (chunks.length > 0) expect(offered).toEqual(["call_2"]);
  });

  test("the browser is shown the same text that the model reads", async () => {
    const tools = {
      find: sdk.ai.tool({ inputSchema: z.object({ id: z.int() }), execute: async () => "found" }),
    };
    const model = sdk.script([
      { calls: [call("call_1", "find", '{"id":"x"}')] },
      { text: "sorry" },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(8) });
    const { messages, chunks } = await sdk.run(mode, { model, settings });
    const shown = chunks.flatMap((chunk) =>
      chunk.type === "tool-input-error" ? [chunk.errorText] : [],
    );
    if (chunks.length > 0) expect(shown).toEqual([textOf(messages, "call_1")]);
    expect(textOf(messages, "call_1")).toContain("(attempt 1/3)");
  });

  test("a dynamic tool is validated by its schema", async () => {
    const execute = vi.fn(async () => "found");
    const find = sdk.ai.dynamicTool({ inputSchema: z.object({ id: z.int() }), execute });
    const model = sdk.script([
      { calls: [call("call_1", "find", '{"id":"x"}'), call("call_2", "find", '{"id":7}')] },
    ]);
    const settings = withContract({ ...quiet, tools: { find }, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))).toMatchObject({ attempt: 1 });
    expect(textOf(messages, "call_2")).toBe("found");
  });

  test.each([
    [
      "made of an object",
      z.object({ city: z.string() }).transform(({ city }) => city),
      '{"city":"Lisbon"}',
      "Lisbon",
    ],
    ["alone", z.string(), '"not json {"', "not json {"],
  ])(
    "a valid value that is a string, %s, is admitted and runs",
    async (_, inputSchema, input, value) => {
      const contract = createContract(quiet);
      const execute = vi.fn(async () => "sunny");
      const weather = sdk.ai.tool({ inputSchema, execute });
      const invalid = call("call_1", "weather", "7");
      const limited = createContract({ ...quiet, maxAttempts: 1 });
      for (const given of [contract, limited]) {
        const settings = withContract({ contract: given, tools: { weather }, stopWhen: steps(2) });
        const { messages } = await sdk.run(mode, {
          model: sdk.script([{ calls: [invalid] }, { calls: [call("call_2", "weather", input)] }]),
          settings,
        });
        expect(textOf(messages, "call_2")).toBe("sunny");
        expect(execute).toHaveBeenLastCalledWith(value, expect.anything());
        expect(given.metrics()).toMatchObject({ calls: 2, admitted: 1 });
      }
    },
  );

  test("a stream of results stays one, and the valid call beside an invalid one runs", async () => {
    const count = sdk.ai.tool({
      inputSchema: z.object({ to: z.int().max(5) }),
      async *execute({ to }: { to: number }) {
        for (let number = 1; number <= to; number++) yield number;
      },
    });
    const model = sdk.script([
      { calls: [call("call_1", "count", '{"to":9}'), call("call_2", "count", '{"to":3}')] },
    ]);
    const settings = withContract({ ...quiet, tools: { count }, stopWhen: steps(1) });
    const { messages, chunks } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))).toMatchObject({ attempt: 1 });
    expect(outputOf(messages, "call_2")).toEqual({ type: "json", value: 3 });
    const shown = chunks.flatMap((chunk) =>
      chunk.type === "tool-output-available" ? [chunk.output] : [],
    );
    if (chunks.length > 0) expect(shown).toEqual([1, 2, 3, 3]);
  });

  test("an error that a tool throws stays the same object", async () => {
    const failure = new RangeError("disk full");
    const tools = {
      save: sdk.ai.tool({
        inputSchema: z.object({}),
        execute: async (): Promise<string> => {
          throw failure;
        },
      }),
    };
    const model = sdk.script([{ calls: [call("call_1", "save", "{}")] }]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    const { steps: ran } = await sdk.run(mode, { model, settings });
    expect(ran[0]!.content.find((part) => part.type === "tool-error")).toMatchObject({
      error: failure,
    });
  });

  test("calls that the provider runs are left alone", async () => {
    const search = {
      type: sdk.version === 5 ? "provider-defined" : "provider",
      id: "scripted.search",
      name: "search",
      args: {},
      inputSchema: z.object({ q: z.int() }),
      isProviderExecuted: true,
    };
    const model = sdk.script([
      { calls: [{ ...call("call_1", "search", '{"q":"x"}'), providerExecuted: true }] },
    ]);
    const settings = withContract({
      ...quiet,
      tools: { search: search as never },
      stopWhen: steps(1),
    });
    expect(settings.tools.search).toBe(search);
    const { steps: ran } = await sdk.run(mode, { model, settings });
    const [made] = ran[0]!.toolCalls as unknown as [{ readonly error?: Error }];
    expect(sdk.adapter.answerOf(made)).toBeUndefined();
    expect(made.error?.message).toContain("Invalid input for tool search");
  });
});

describeModes(
  (sdk, mode) => {
    test("nobody is asked to approve an invalid call", async () => {
      const execute = vi.fn(async () => "paid");
      const pay = sdk.ai.tool({
        inputSchema: sdk.ai.jsonSchema({
          type: "object",
          properties: { amount: { type: "integer" } },
          required: ["amount"],
        }),
        needsApproval: true,
        execute,
      });
      const model = sdk.script([
        { calls: [call("call_1", "pay", '{"amount":"ten"}')] },
        { calls: [call("call_2", "pay", '{"amount":10}')] },
      ]);
      const settings = sdk.adapter.withContract({ ...quiet, tools: { pay }, stopWhen: steps(8) });
      const { steps: ran } = await sdk.run(mode, { model, settings });
      const asked = ran.flatMap((step) =>
        step.content.flatMap((part) =>
          part.type === "tool-approval-request" ? [part.toolCall.toolCallId] : [],
        ),
      );
      expect(asked).toEqual(["call_2"]);
      expect(execute).not.toHaveBeenCalled();
    });
  },
  { 5: "approvals are new in version 6" },
);

const NO_REFINING = "experimental_refineToolInput is new in version 7";

describeModes(
  (sdk, mode) => {
    test("arguments that the application refines are refined after the contract, and the call counts once", async () => {
      const contract = createContract(quiet);
      const execute = vi.fn(async () => "found");
      const refine = vi.fn(({ id }: { id: number }) => ({ id: id + 1 }));
      const find = sdk.ai.tool({ inputSchema: z.object({ id: z.int() }), execute });
      const guarded = sdk.adapter.withContract({ contract, tools: { find }, stopWhen: steps(1) });
      const settings = { ...guarded, experimental_refineToolInput: { find: refine } };
      const model = sdk.script([
        { calls: [call("call_1", "find", '{"id":"x"}'), call("call_2", "find", '{"id":7}')] },
      ]);
      await sdk.run(mode, { model, settings });
      expect(refine).toHaveBeenCalledTimes(1);
      expect(execute).toHaveBeenCalledWith({ id: 8 }, expect.anything());
      expect(contract.metrics()).toMatchObject({ calls: 2 });
    });
  },
  { 6: NO_REFINING, 5: NO_REFINING },
);

describeModes((sdk, mode) => {
  test("the provider sees schemas, descriptions, strictness and examples unchanged", async () => {
    const tools = {
      find: sdk.ai.tool({
        description: "Finds a record",
        inputSchema: z.object({ id: z.int().describe("its number") }).strict(),
        strict: true,
        inputExamples: [{ input: { id: 7 } }],
        execute: async () => "found",
      }),
      ask: sdk.ai.tool({
        inputSchema: sdk.ai.jsonSchema({ type: "object", properties: {} }),
      }) as ToolSet[string],
      lazy: sdk.ai.tool({
        inputSchema: () => sdk.ai.zodSchema(z.object({ a: z.string() })),
      }) as ToolSet[string],
    };
    const [bare, guarded] = [sdk.script([]), sdk.script([])];
    await sdk.run(mode, { model: bare, settings: { tools } });
    const settings = sdk.adapter.withContract({ ...quiet, tools });
    await sdk.run(mode, { model: guarded, settings });
    expect(guarded.requests).toEqual(bare.requests);
    expect(guarded.requests[0]?.tools).toHaveLength(3);
  });
});
