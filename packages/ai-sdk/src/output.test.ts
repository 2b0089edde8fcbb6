import { createContract, EscalationError } from "@toolcontract/core";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";

const schema = z.object({ rating: z.number().max(5), title: z.string() });
const BAD = '{"rating":10,"title":"Fine"}';
const GOOD = '{"rating":4,"title":"Fine"}';
const FENCED = `\`\`\`json\n${GOOD}\n\`\`\``;

describeModes((sdk, mode) => {
  function opened(texts: readonly string[], options: object = {}) {
    const execute = vi.fn(async () => "two notes");
    const tools = { read: sdk.ai.tool({ inputSchema: z.object({}), execute }) };
    const contract = createContract({ logger: false });
    const model = sdk.script([
      { calls: [{ id: "a", name: "read", input: "{}" }] },
      ...texts.map((text) => ({ text })),
    ]);
    const guarded = sdk.adapter.withContract({ tools, contract, output: { schema }, ...options });
    return { model, contract, execute, settings: guarded };
  }

  test("an answer that does not fit is asked for again, in the same run", async () => {
    const { model, contract, settings, execute } = opened([BAD, FENCED]);
    const { text, steps } = await sdk.run(mode, { model, settings });
    expect(JSON.parse(text)).toEqual({ rating: 4, title: "Fine" });
    expect(steps).toHaveLength(2);
    expect(execute).toHaveBeenCalledTimes(1);
    expect(model.requests).toHaveLength(3);
    const [said, told] = model.requests[2]?.prompt.slice(-2) ?? [];
    expect(said).toMatchObject({ role: "assistant", content: [{ text: BAD }] });
    expect(JSON.stringify(told)).toContain("Validation failed for the answer (attempt 1/3):");
    expect(contract.metrics().byTool["answer"]).toMatchObject({ calls: 2, rejected: 1 });
    expect(steps.at(-1)?.usage.totalTokens ?? 30).toBe(30);
  });

  test("after the last attempt it escalates", async () => {
    const onEscalation = vi.fn();
    const { model, contract, settings } = opened([BAD, BAD, BAD, GOOD], {
      escalate: "throw",
    });
    contract.on("call-escalated", onEscalation);
    await expect(sdk.run(mode, { model, settings })).rejects.toThrow(EscalationError);
    expect(model.requests).toHaveLength(4);
    expect(onEscalation).toHaveBeenCalledTimes(1);
  });

  test("has a number of attempts of its own", async () => {
    const { model, settings } = opened([BAD, GOOD], { output: { schema, maxAttempts: 1 } });
    await sdk.run(mode, { model, settings }).catch(() => undefined);
    expect(model.requests).toHaveLength(2);
  });
});

describeVersions((sdk) => {
  test("generateText gives the object", async () => {
    const model = sdk.script([{ text: BAD }, { text: GOOD }]);
    const settings = sdk.adapter.withContract({ tools: {}, output: { schema }, logger: false });
    const result = await sdk.ai.generateText({
      model: model.model,
      prompt: "Rate it",
      ...settings,
    });
    const given = result as unknown as { output?: unknown; experimental_output?: unknown };
    expect(sdk.version === 5 ? given.experimental_output : given.output).toEqual({
      rating: 4,
      title: "Fine",
    });
  });

  test("the last answer is not given out if it does not fit, by a bare JSON Schema either", async () => {
    const bare = sdk.ai.jsonSchema({ type: "object", properties: { rating: { maximum: 5 } } });
    const model = sdk.script(Array.from({ length: 4 }, () => ({ text: BAD })));
    const given = { tools: {}, output: { schema: bare as never }, logger: false } as const;
    const settings = sdk.adapter.withContract(given);
    const run = async (): Promise<unknown> => {
      const result = await sdk.ai.generateText({ model: model.model, prompt: "Rate", ...settings });
      const made = result as unknown as { output?: unknown; experimental_output?: unknown };
      return sdk.version === 5 ? made.experimental_output : made.output;
    };
    await expect(run()).rejects.toThrow(/No object generated/);
    expect(model.requests).toHaveLength(3);
    // Who only observes changes nothing of what the SDK does.
    const watched = { ...given, mode: "observe" } as const;
    Object.assign(settings, sdk.adapter.withContract(watched));
    await expect(run()).resolves.toMatchObject({ rating: 10 });
  });

  test("an option without a schema throws", () => {
    expect(() => sdk.adapter.withContract({ tools: {}, output: {} as never })).toThrow(/'output'/);
  });
});
