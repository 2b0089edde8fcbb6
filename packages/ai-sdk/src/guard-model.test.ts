import { createContract, EscalationError } from "@toolcontract/core";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { describeVersions } from "./testing/every-sdk.ts";

const schema = z.object({ rating: z.number().max(5), title: z.string() });
const BAD = '{"rating":10,"title":"Fine"}';
const GOOD = '{"rating":4,"title":"Fine"}';
const FITS = { rating: 4, title: "Fine" };

describeVersions((sdk) => {
  const WAYS = {
    async generateObject(given: object): Promise<unknown> {
      return (await sdk.ai.generateObject({ prompt: "Rate it", ...given } as never)).object;
    },
    async streamObject(given: object): Promise<unknown> {
      const thrown: unknown[] = [];
      const onError = ({ error }: { error: unknown }): void => void thrown.push(error);
      const stream = sdk.ai.streamObject({ prompt: "Rate it", onError, ...given } as never);
      stream.object.catch(() => undefined);
      for await (const _part of stream.fullStream);
      if (thrown.length > 0) throw thrown[0];
      return stream.object;
    },
  };
  const ways = Object.entries(WAYS);

  function opened(texts: readonly string[], options: object = {}) {
    const contract = createContract({ logger: false });
    const script = sdk.script(texts.map((text) => ({ text })));
    const model = sdk.adapter.guardModel(script.model, { contract, ...options });
    return { ...script, contract, model };
  }

  test.each(ways)("%s: an object that does not fit is asked for again", async (_name, run) => {
    const { model, contract, requests } = opened([BAD, `\`\`\`json\n${GOOD}\n\`\`\``]);
    await expect(run({ model, schema })).resolves.toEqual(FITS);
    const [said, told] = requests[1]?.prompt.slice(-2) ?? [];
    expect(said).toMatchObject({ role: "assistant", content: [{ text: BAD }] });
    expect(JSON.stringify(told)).toContain("Validation failed for the answer (attempt 1/3):");
    expect(contract.metrics().byTool["answer"]).toMatchObject({ calls: 2, rejected: 1 });
  });

  test.each(ways)("%s: after the last attempt it escalates", async (_name, run) => {
    const { model, requests } = opened([BAD, BAD, BAD, GOOD], { escalate: "throw" });
    await expect(run({ model, schema })).rejects.toThrow(EscalationError);
    expect(requests).toHaveLength(3);
  });

  test.each(ways)("%s: without it the SDK throws its own error", async (_name, run) => {
    const { model, requests } = opened([BAD, BAD, BAD, GOOD]);
    await expect(run({ model, schema })).rejects.toMatchObject({
      name: "AI_NoObjectGeneratedError",
    });
    expect(requests).toHaveLength(3);
  });

  test.each(ways)("%s: each object has attempts of its own", async (_name, run) => {
    const { model } = opened([BAD, BAD, GOOD, BAD, BAD, GOOD], { conversationId: "chat-1" });
    await expect(run({ model, schema })).resolves.toEqual(FITS);
    await expect(run({ model, schema })).resolves.toEqual(FITS);
  });

  test.each(ways)(
    "%s: what a JSON Schema cannot say is in the output's own",
    async (_name, run) => {
      const refined = schema.refine(({ title }) => title !== "Fine", { message: "Say more" });
      const better = '{"rating":4,"title":"Better"}';
      const { model, requests } = opened([GOOD, better], {
        output: { schema: refined, maxAttempts: 2 },
      });
      await expect(run({ model, schema: refined })).resolves.toEqual(JSON.parse(better));
      expect(JSON.stringify(requests[1]?.prompt)).toContain("Say more");
      expect(JSON.stringify(requests[1]?.prompt)).toContain("(attempt 1/2)");
    },
  );

  test("a list, a choice and any JSON are judged by what the SDK asks for", async () => {
    const asked = async (texts: readonly string[], given: object) => {
      const { model, requests } = opened(texts);
      const object = await WAYS.generateObject({ model, ...given });
      return { object, requests: requests.length };
    };
    const list = [`{"elements":[${BAD}]}`, `{"elements":[${GOOD}]}`];
    await expect(asked(list, { output: "array", schema })).resolves.toEqual({
      object: [FITS],
      requests: 2,
    });
    const choice = ['{"result":"maybe"}', '{"result":"yes"}'];
    await expect(asked(choice, { output: "enum", enum: ["yes", "no"] })).resolves.toEqual({
      object: "yes",
      requests: 2,
    });
    await expect(asked(["{", '{"a":1}'], { output: "no-schema" })).resolves.toEqual({
      object: { a: 1 },
      requests: 2,
    });
  });

  test("words are not judged", async () => {
    const { model, contract, requests } = opened(["Fine."]);
    const { text } = await sdk.ai.generateText({ model, prompt: "Rate it" });
    expect([text, requests.length, contract.metrics().calls]).toEqual(["Fine.", 1, 0]);
  });

  test("a misspelt option throws", () => {
    const { model } = sdk.script([]);
    const given = (options: object) => () => sdk.adapter.guardModel(model, options);
    expect(given({ escalates: "throw" })).toThrow(/escalate/);
    expect(given({ escalate: "stop" })).toThrow(/'escalate'/);
    expect(given({ output: {} })).toThrow(/'output'/);
  });

  test("observing asks nothing again", async () => {
    const contract = createContract({ logger: false, mode: "observe" });
    const { model, requests } = opened([BAD, GOOD], { contract });
    await expect(WAYS.generateObject({ model, schema })).rejects.toThrow();
    expect(requests).toHaveLength(1);
    expect(contract.metrics().byTool["answer"]).toMatchObject({ calls: 1 });
  });
});

test("a provider that names the part of its text that is the object is judged by that", async () => {
  const { generateObject } = await import("ai");
  const { guardModel } = await import("./index.ts");
  const content = (text: string) => [
    { type: "text", text: "Let me think." },
    { type: "text", text },
  ];
  const doGenerate = vi.fn(async () => {
    const text = doGenerate.mock.calls.length === 1 ? BAD : `\`\`\`json\n${GOOD}\n\`\`\``;
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const finishReason = { unified: "stop", raw: "stop" };
    return {
      content: content(text),
      structuredOutputText: text,
      usage,
      finishReason,
      warnings: [],
    };
  });
  const given = {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "m",
    supportedUrls: {},
  };
  const model = guardModel({ ...given, doGenerate } as never, { logger: false });
  const { object } = await generateObject({ model, schema, prompt: "Rate it" });
  expect([object, doGenerate.mock.calls.length]).toEqual([FITS, 2]);
});
