import { createContract, parseRejection } from "@toolcontract/core";
import type { ModelMessage, ToolSet } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { describeModes, describeVersions, outputOf, steps, textOf } from "./testing/every-sdk.ts";
import type { Sdk } from "./testing/sdk.ts";

const SECRET = "4111111111111111";
const quiet = { logger: () => undefined };

/** The tools of a travel agent; what ran is kept. */
function travel({ ai }: Sdk): { tools: ToolSet; ran: unknown[] } {
  const ran: unknown[] = [];
  const book = ai.tool({
    description: "Books a flight",
    inputSchema: z.object({ from: z.string().length(3), age: z.int() }),
    execute: async (input: unknown) => {
      ran.push(input);
      return "booked";
    },
  });
  const weather = ai.tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async (input: unknown) => {
      ran.push(input);
      return "sunny";
    },
  });
  return { tools: { book, weather }, ran };
}

const bad = (id: string, name = "book", input = '{"from":"LIS","age":"34"}') => ({
  id,
  name,
  input,
});
const good = (id: string) => bad(id, "book", '{"from":"LIS","age":34}');

describeModes((sdk, mode) => {
  const { withContract, escalationsOf, answerOf } = sdk.adapter;

  test("trap 1: a repaired call that is still invalid is answered by the contract, not by the SDK", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }]);
    const repairToolCall = vi.fn(async ({ toolCall }) => ({
      ...toolCall,
      input: `{"from":"${SECRET}","age":34}`,
    }));
    const settings = withContract({ ...quiet, tools, repairToolCall, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(repairToolCall).toHaveBeenCalledTimes(1);
    expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
      { errorCode: "VAL-002", fieldPath: "/age" },
    ]);
    expect(textOf(messages, "call_1")).not.toContain(SECRET);
  });

  test("trap 3: the text comes through both message and toString, and nothing prints the arguments", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([
      { calls: [bad("call_1", "book", `{"from":"LIS","age":"${SECRET}`)] },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    const [call] = ran[0]!.toolCalls as unknown as [{ readonly error: Error }];
    const text = textOf(messages, "call_1");
    expect([call.error.message, String(call.error)]).toEqual([text, text]);
    const { inspect } = await import("node:util");
    expect(
      text + call.error.stack + JSON.stringify(call.error) + inspect(call.error),
    ).not.toContain(SECRET);
    // Whoever needs them can still read them by name.
    expect((call.error as { readonly toolInput?: unknown }).toolInput).toContain(SECRET);
    expect(answerOf(call)).toMatchObject({ status: "rejected", attempt: 1 });
  });

  test("trap 4: two invalid calls of one tool in one step share a number", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([
      { calls: [bad("call_1"), bad("call_2", "book", "{}")] },
      { calls: [bad("call_3")] },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(2) });
    const { messages } = await sdk.run(mode, { model, settings });
    const numbers = ["call_1", "call_2", "call_3"].map(
      (id) => parseRejection(textOf(messages, id))?.attempt,
    );
    expect(numbers).toEqual([1, 1, 2]);
  });

  test("trap 5: one rule for text and loop: a success in between begins a new count", async () => {
    const { tools } = travel(sdk);
    const calls = [
      bad("call_1"),
      bad("call_2"),
      good("call_3"),
      bad("call_4"),
      bad("call_5"),
      bad("call_6"),
    ];
    const model = sdk.script(calls.map((call) => ({ calls: [call] })));
    const settings = withContract({ ...quiet, tools, escalate: "stop", stopWhen: steps(20) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    const numbers = ["call_1", "call_2", "call_4", "call_5", "call_6"].map(
      (id) => parseRejection(textOf(messages, id))?.attempt,
    );
    expect(numbers).toEqual([1, 2, 1, 2, 3]);
    expect(ran).toHaveLength(6);
    expect(escalationsOf(ran)).toMatchObject([{ toolCallId: "call_6", attempts: 3 }]);
  });

  test.each([
    ["https://json-schema.org/draft/2020-12/schema"],
    ["http://json-schema.org/draft-07/schema#"],
    [undefined],
  ])("trap 6: a tool with only a JSON Schema is judged by its dialect (%s)", async ($schema) => {
    const execute = vi.fn(async () => "found");
    const schema = {
      ...($schema && { $schema }),
      type: "object",
      properties: { id: { type: "integer" } },
      required: ["id"],
    };
    const tools = {
      find: sdk.ai.tool({ inputSchema: sdk.ai.jsonSchema(schema as object), execute }),
    };
    const model = sdk.script([
      { calls: [bad("call_1", "find", '{"id":"x"}')] },
      { calls: [bad("call_2", "find", '{"id":7}')] },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(2) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_1")).toContain(
      "• /id (VAL-002): Type mismatch: expected integer, got string",
    );
    expect(execute).toHaveBeenCalledTimes(1);
  });

  test("trap 6: a schema that does not compile lets the call through with one warning", async () => {
    const logger = vi.fn();
    const execute = vi.fn(async () => "found");
    const broken = sdk.ai.jsonSchema({
      type: "object",
      properties: { id: { type: "nonsense" as "string" } },
    });
    const tools = { find: sdk.ai.tool({ inputSchema: broken, execute }) };
    const model = sdk.script([
      { calls: [bad("call_1", "find", '{"id":"x"}'), bad("call_2", "find", '{"id":1}')] },
    ]);
    const settings = withContract({ logger, tools, stopWhen: steps(1) });
    await sdk.run(mode, { model, settings });
    expect(execute).toHaveBeenCalledTimes(2);
    expect(logger).toHaveBeenCalledTimes(1);
  });

  test("trap 7: fields that zod strips are no fault, though the provider is shown additionalProperties false", async () => {
    const { tools, ran } = travel(sdk);
    const model = sdk.script([
      { calls: [bad("call_1", "weather", '{"city":"Lisbon","unit":"C"}')] },
    ]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    await sdk.run(mode, { model, settings });
    expect(ran).toEqual([{ city: "Lisbon" }]);
    const shown = model.requests[0]!.tools!.find(({ name }) => name === "weather");
    expect(shown).toMatchObject({ inputSchema: { additionalProperties: false } });
  });

  test("trap 10: the user's own repair function, step preparation and stop conditions are composed", async () => {
    const { tools, ran } = travel(sdk);
    const own = {
      repairToolCall: vi.fn(async ({ toolCall }) => ({
        ...toolCall,
        input: '{"from":"LIS","age":34}',
      })),
      prepareStep: vi.fn(() => ({ activeTools: ["book"] })),
      stopWhen: [vi.fn(() => false), vi.fn(steps(2))],
    };
    const model = sdk.script([{ calls: [bad("call_1")] }, { calls: [good("call_2")] }]);
    const settings = withContract({ ...quiet, tools, ...own });
    const result = await sdk.run(mode, { model, settings });
    expect(ran).toEqual([
      { from: "LIS", age: 34 },
      { from: "LIS", age: 34 },
    ]);
    expect(result.steps).toHaveLength(2);
    expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([
      ["book"],
      ["book"],
    ]);
    expect(own.prepareStep).toHaveBeenCalledTimes(2);
    for (const condition of own.stopWhen) expect(condition).toHaveBeenCalledTimes(2);
  });

  test("trap 10: a repair function that throws has repaired nothing", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }]);
    const repairToolCall = async (): Promise<never> => {
      throw new RangeError(`could not repair ${SECRET}`);
    };
    const logger = vi.fn();
    const settings = withContract({ logger, tools, repairToolCall, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))).toMatchObject({ attempt: 1 });
    const fault = { level: "warn", stage: "repairToolCall", error_class: "RangeError" };
    expect(logger.mock.calls.filter(([fields]) => "stage" in fields)).toEqual([
      [{ ...fault, tool_name: "book", correlation_id: "ai-sdk" }, "Tool contract degraded"],
    ]);
    expect(JSON.stringify(logger.mock.calls)).not.toContain(SECRET);
  });

  test("trap 10: a contract that fails answers without a word of what it threw, even where the logger fails too", async () => {
    const { tools } = travel(sdk);
    const model = sdk.script([{ calls: [bad("call_1")] }]);
    const fail = async (): Promise<never> => {
      throw new Error(`no store for ${SECRET}`);
    };
    const logger = vi.fn(() => {
      throw new Error("disk full");
    });
    const contract = { ...createContract(quiet), admit: fail };
    const settings = withContract({ contract, logger, tools, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_1")).toBe(
      "This call could not be checked and did not run. Call the tool again.",
    );
    expect(logger).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(logger.mock.calls)).not.toContain(SECRET);
  });

  test.each([
    `{"from":"LIS","age":34,"__proto__":{"note":"${SECRET}"}}`,
    `{"from":"LIS","age":34,"constructor":{"prototype":{"note":"${SECRET}"}}}`,
    `{"from":"LIS","age":34,"\\u005f_proto__":{"note":"${SECRET}"},}`,
  ])(
    "trap 12: keys that the SDK's parser refuses are told as such and not echoed (%#)",
    async (input) => {
      const { tools, ran } = travel(sdk);
      const model = sdk.script([{ calls: [bad("call_1", "book", input)] }]);
      const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
      const { messages } = await sdk.run(mode, { model, settings });
      const text = textOf(messages, "call_1");
      expect(parseRejection(text)).toMatchObject({
        attempt: 1,
        errors: [{ errorCode: "VAL-004", fieldPath: "" }],
      });
      expect(text).not.toContain(SECRET);
      expect(ran).toEqual([]);
    },
  );

  test("trap 13: where the provider itself refuses, its error comes through as the same object", async () => {
    const { tools } = travel(sdk);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failure = new Error("400: tool call validation failed");
    const fail = async (): Promise<never> => {
      throw failure;
    };
    const broken = sdk.script([]);
    Object.assign(broken.model, { doGenerate: fail, doStream: fail });
    const settings = { ...withContract({ ...quiet, tools, stopWhen: steps(2) }), maxRetries: 0 };
    await expect(sdk.run(mode, { model: broken, settings })).rejects.toBe(failure);
  });

  test("trap 15: drop-tool never empties the tool list, and ends the loop when the model only repeats itself", async () => {
    const { tools } = travel(sdk);
    const { book } = tools;
    const model = sdk.script(
      ["1", "2", "3", "4", "5"].map((id) => ({ calls: [bad(`call_${id}`)] })),
    );
    const settings = withContract({ ...quiet, tools: { book: book! }, stopWhen: steps(20) });
    const { steps: ran, messages } = await sdk.run(mode, { model, settings });
    expect(model.requests.map((request) => request.tools?.map(({ name }) => name))).toEqual([
      ["book"],
      ["book"],
      ["book"],
      ["book"],
    ]);
    expect(textOf(messages, "call_4")).toMatch(
      /^Validation failed for tool 'book' \(blocked after 3\/3\):/,
    );
    expect(escalationsOf(ran)).toHaveLength(1);
  });
});

describeVersions(
  (sdk) => {
    const { withContract } = sdk.adapter;

    test("trap 2: an approved call that was changed on its way is refused without any value", async () => {
      const execute = vi.fn(async () => "booked");
      const book = sdk.ai.tool({
        inputSchema: sdk.ai.jsonSchema({
          type: "object",
          properties: { card: { type: "integer" } },
          required: ["card"],
        }),
        needsApproval: true,
        execute,
      });
      const settings = withContract({ ...quiet, tools: { book }, stopWhen: steps(2) });
      const asked = await sdk.run("generateText", {
        model: sdk.script([{ calls: [bad("call_1", "book", '{"card":1}')] }]),
        settings,
      });
      const changed = JSON.parse(
        JSON.stringify(asked.messages).replaceAll('{"card":1}', `{"card":"${SECRET}"}`),
      ) as ModelMessage[];
      const { approvalId } = (changed.at(-1)!.content as { approvalId: string }[]).find(
        (part) => "approvalId" in part,
      )!;
      const model = sdk.script([{ text: "It was refused." }]);
      const messages = [
        ...changed,
        { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
      ] as ModelMessage[];
      await sdk.run("generateText", { model, messages, settings });
      expect(execute).not.toHaveBeenCalled();
      const text = textOf(model.requests[0]!.prompt, "call_1");
      expect(text).toContain("/card (VAL-002): Type mismatch: expected integer, got string");
      expect(text).not.toContain(SECRET);
    });
  },
  [7, 6],
);

describeVersions((sdk) => {
  const { withContract } = sdk.adapter;

  test("trap 9: tools of a class keep their methods, tools with symbols keep those", async () => {
    const mark = Symbol("mark");
    class Finder {
      readonly [mark] = true;
      readonly inputSchema = z.object({ id: z.int() });
      readonly #found = "found it";
      execute(): string {
        return this.#found;
      }
      toModelOutput(): { type: "text"; value: string } {
        return { type: "text", value: `${this.#found}!` };
      }
    }
    const settings = withContract({
      ...quiet,
      tools: { find: new Finder() },
      stopWhen: steps(1),
    });
    const model = sdk.script([{ calls: [bad("call_1", "find", '{"id":7}')] }]);
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(outputOf(messages, "call_1")).toEqual({ type: "text", value: "found it!" });
    expect(Object.getOwnPropertySymbols(settings.tools["find"])).toContain(mark);
  });

  test("trap 9: tools of a class keep their accessors, private fields among them", async () => {
    class Finder {
      readonly #about = "Finds a record";
      get inputSchema() {
        return z.object({ id: z.int() });
      }
      get description(): string {
        return this.#about;
      }
      get execute() {
        return (): string => `ran: ${this.#about}`;
      }
    }
    const tools = { find: new Finder() };
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    const model = sdk.script([{ calls: [bad("call_1", "find", '{"id":7}')] }]);
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(textOf(messages, "call_1")).toBe("ran: Finds a record");
    expect(model.requests[0]?.tools).toMatchObject([{ description: "Finds a record" }]);
  });

  test("trap 14: whoever asks the schema alone, as code mode does, gets the faults without a value", async () => {
    const { tools } = travel(sdk);
    const guarded = withContract({ ...quiet, tools }).tools["book"]!;
    const { validate } = sdk.ai.asSchema(guarded.inputSchema);
    const verdict = await validate?.({ from: "LIS", age: SECRET });
    expect(verdict).toMatchObject({ success: false });
    const { error } = verdict as { readonly error: Error };
    expect(error.message).toMatch(
      /^\/age \(VAL-002\): Type mismatch: expected integer, got string; expected integer/,
    );
    expect(String(error) + error.stack + JSON.stringify(error)).not.toContain(SECRET);
  });
});

describeVersions(
  (sdk) => {
    test("trap 11: a run that is cancelled during a repair ends at once with the reason and counts nothing", async () => {
      const { tools } = travel(sdk);
      const controller = new AbortController();
      const reason = new Error("the user left");
      const contract = createContract(quiet);
      const repairToolCall = async (): Promise<null> => {
        controller.abort(reason);
        return new Promise(() => undefined);
      };
      const guarded = sdk.adapter.withContract({
        contract,
        tools,
        repairToolCall,
        stopWhen: steps(2),
      });
      const settings = { ...guarded, abortSignal: controller.signal };
      const model = sdk.script([{ calls: [bad("call_1")] }]);
      await expect(sdk.run("generateText", { model, settings })).rejects.toBe(reason);
      expect(contract.metrics().calls).toBe(0);
    });
  },
  [7],
);
