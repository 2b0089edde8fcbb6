import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const lab = await loadMastra("1.71");
const schema = z.object({ rating: z.number().max(5), title: z.string() });
const BAD = '{"rating":10,"title":"Fine"}';
const GOOD = '{"rating":4,"title":"Fine"}';

describe("the final answer on Mastra", () => {
  async function run(texts: readonly string[], options: object = {}) {
    const model = scriptedModel(...texts);
    const contract = createContract({ logger: false });
    const config = { id: "a", name: "a", instructions: "Rate.", model } as never;
    const guarded = lab.adapter.withContract(config, { contract, output: true, ...options });
    const agent = new lab.agent.Agent(guarded);
    const result = await agent.generate("Rate it", { structuredOutput: { schema } } as never);
    return { model, contract, object: (result as { readonly object?: unknown }).object };
  }

  test("is asked for again in the same turn", async () => {
    const { model, contract, object } = await run([BAD, `\`\`\`json\n${GOOD}\n\`\`\``]);
    expect(object).toEqual({ rating: 4, title: "Fine" });
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain(
      "Validation failed for the answer (attempt 1/3):",
    );
    expect(contract.metrics().byTool["answer"]).toMatchObject({ calls: 2, rejected: 1 });
  });

  test("comes to an end", async () => {
    const texts = Array.from({ length: 8 }, () => BAD);
    const model = scriptedModel(...texts);
    const config = { id: "a", name: "a", instructions: "Rate.", model } as never;
    const guarded = lab.adapter.withContract(config, { output: true, logger: false });
    const agent = new lab.agent.Agent(guarded);
    await agent
      .generate("Rate it", { structuredOutput: { schema } } as never)
      .catch(() => undefined);
    expect(model.requests).toHaveLength(3);
  });
});
