import { createContract, EscalationError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newest, oldest } from "./testing/both-ends.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const outputType = z.object({ rating: z.number().max(5), title: z.string() });
const BAD = '{"rating":10,"title":"Fine"}';
const GOOD = '{"rating":4,"title":"Fine"}';
const FENCED = `\`\`\`json\n${GOOD}\n\`\`\``;

describe.each([newest, oldest])("the final answer on OpenAI Agents $version", (sdk) => {
  async function run(texts: readonly string[], stream: boolean, options: object = {}) {
    const model = scriptedModel(...texts);
    const contract = createContract({ logger: false });
    const own = new sdk.agents.Agent({ name: "a", model, outputType });
    const guarded = sdk.adapter.withContract(own, { contract, output: true, ...options });
    const { agent, runner } = guarded;
    if (!stream) return { model, contract, result: await runner.run(agent, "Rate it") };
    const result = await runner.run(agent, "Rate it", { stream: true });
    await result.completed;
    return { model, contract, result };
  }

  test.each([false, true])("is asked for again in the same turn; streamed: %s", async (stream) => {
    const { model, contract, result } = await run([BAD, FENCED], stream);
    expect(result.finalOutput).toEqual({ rating: 4, title: "Fine" });
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.input)).toContain(
      "Validation failed for the answer (attempt 1/3):",
    );
    expect(contract.metrics().byTool["answer"]).toMatchObject({ calls: 2, rejected: 1 });
  });

  test("comes to an end", async () => {
    const texts = Array.from({ length: 8 }, () => BAD);
    await expect(run(texts, false, { escalate: "throw" })).rejects.toThrow(EscalationError);
    await expect(run(texts, false)).rejects.toThrow(/output/i);
  });

  test.each([false, true])(
    "is not given out if it never fits, by a bare JSON Schema either; streamed: %s",
    async (stream) => {
      const schema = { type: "object", properties: { rating: { maximum: 5 } } };
      const bare = { type: "json_schema", name: "review", strict: true, schema };
      const model = scriptedModel(BAD, BAD, BAD, GOOD);
      const own = new sdk.agents.Agent({ name: "a", model, outputType: bare as never });
      const guarded = sdk.adapter.withContract(own as never, { output: true, logger: false });
      const ended = async (): Promise<unknown> => {
        if (!stream) return guarded.runner.run(guarded.agent, "Rate it");
        const result = await guarded.runner.run(guarded.agent, "Rate it", { stream });
        return result.completed;
      };
      await expect(ended()).rejects.toThrow(/output/i);
      expect(model.requests).toHaveLength(3);
    },
  );

  test("is the SDK's own to judge without the option", async () => {
    await expect(run([BAD, GOOD], false, { output: false })).rejects.toThrow(/output/i);
  });
});
