import { createGuardrails } from "@toolcontract/guardrails";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { outputOf, steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import { bad, quiet, travel } from "./testing/travel.ts";

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test.each([
    ["https://json-schema.org/draft/2020-12/schema"],
    ["http://json-schema.org/draft-07/schema#"],
    [undefined],
  ])("a tool with only a JSON Schema is validated in its dialect (%s)", async ($schema) => {
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

  test("a schema that does not compile lets the call through with one warning", async () => {
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

  test("fields that zod strips are accepted, though the provider is shown additionalProperties false", async () => {
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

  test("class tools keep their methods, and tools with symbols keep those", async () => {
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
    const { messages } = await sdk.run(mode, { model, settings });
    expect(outputOf(messages, "call_1")).toEqual({ type: "text", value: "found it!" });
    expect(Object.getOwnPropertySymbols(settings.tools["find"])).toContain(mark);
  });

  test("class tools keep their accessors, with access to private fields", async () => {
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
    const { messages } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "call_1")).toBe("ran: Finds a record");
    expect(model.requests[0]?.tools).toMatchObject([{ description: "Finds a record" }]);
  });

  test("class tools keep all that runs on their private members", async () => {
    const heard: string[] = [];
    class Finder {
      readonly inputSchema = z.object({ id: z.int() });
      readonly #found: string = "found it";
      onInputStart(): void {
        heard.push(`start: ${this.#found}`);
      }
      onInputAvailable(): void {
        heard.push(`available: ${this.#found}`);
      }
      needsApproval(): boolean {
        return this.#found === "";
      }
      async *execute() {
        yield "searching";
        yield this.#found;
      }
      toModelOutput(): { type: "text"; value: string } {
        return { type: "text", value: `${this.#found}!` };
      }
      report(): string {
        return this.#found;
      }
    }
    const tools = { find: new Finder() };
    const guardrails = createGuardrails({ guardrails: [] });
    for (const more of [{}, { guardrails }]) {
      const settings = withContract({
        ...quiet,
        tools: tools as never,
        ...more,
        stopWhen: steps(1),
      });
      const model = sdk.script([{ calls: [bad("call_1", "find", '{"id":7}')] }]);
      const { messages } = await sdk.run(mode, { model, settings });
      expect(outputOf(messages, "call_1")).toEqual({ type: "text", value: "found it!" });
      const { find } = settings.tools as typeof tools;
      expect(find.report()).toBe("found it");
      expect(find).toBeInstanceOf(Finder);
    }
    expect(new Set(heard.filter((one) => !one.endsWith(": found it")))).toEqual(new Set());
  });
});
