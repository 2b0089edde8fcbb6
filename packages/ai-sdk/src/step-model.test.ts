import type { LanguageModel } from "ai";
import { expect, test, vi } from "vitest";
import { stepModel } from "./step-model.ts";
import { scriptedModel } from "./testing/scripted-model.ts";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

const ids = {
  type: "object" as const,
  properties: { id: { type: "integer" as const } },
  required: ["id"],
};

describeModes((sdk, mode) => {
  test("a number that the SDK would round is refused, and one that it keeps runs once", async () => {
    const ran: unknown[] = [];
    const find = sdk.ai.tool({
      inputSchema: sdk.ai.jsonSchema<{ id: number }>(ids),
      execute: async (input) => void ran.push(input),
    });
    const call = (id: string, input: string) => ({ calls: [{ id, name: "find", input }] });
    const model = sdk.script([
      call("1", '{"id":9007199254740993}'),
      call("2", '{"id":9007199254740992}'),
      { text: "done" },
    ]);
    const settings = sdk.adapter.withContract({
      tools: { find },
      logger: false,
      // A repair of the application's own would round it too.
      repairToolCall: async ({ toolCall }) => toolCall,
      stopWhen: steps(8),
    });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(ran).toEqual([{ id: 9_007_199_254_740_992 }]);
    expect(textOf(messages, "1")).toContain(
      "Number cannot be kept exactly\n  Expected: number from -9007199254740991",
    );
    // No provider takes back arguments that are no object.
    const prompts = model.requests.map(({ prompt }) => JSON.stringify(prompt));
    expect(prompts.at(-1)).toContain('"input":{}');
    expect(prompts.join("\n")).not.toContain("\u00A0");
  });
});

test("what a step has of its model is what the model has then", async () => {
  class Fallback {
    #at = 0;
    readonly specificationVersion = "v4";
    readonly provider = "scripted";
    readonly supportedUrls = {};
    get modelId() {
      return ["first", "second"][this.#at];
    }
    doGenerate: (request: object) => Promise<object> = async () => {
      this.#at += 1;
      return { content: [] };
    };
  }
  const between = {
    offer: vi.fn((request) => request),
    holdsInexact: true,
    look: async () => undefined,
  };
  const model = stepModel(new Fallback() as never, between) as unknown as Fallback;
  expect(model.modelId).toBe("first");
  await model.doGenerate({ prompt: [] });
  expect(model.modelId).toBe("second");
});

test("a model that is given by its name is found as the SDK finds it", () => {
  const { model } = scriptedModel(7, []);
  const languageModel = vi.fn(() => model);
  vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", { languageModel });
  const found = stepModel("openai/gpt-5", {
    offer: (request) => request,
    holdsInexact: true,
    look: async () => undefined,
  });
  expect(languageModel).toHaveBeenCalledExactlyOnceWith("openai/gpt-5");
  expect(found).toMatchObject({ modelId: (model as Exclude<LanguageModel, string>).modelId });
  vi.unstubAllGlobals();
});
