import { expect, test } from "vitest";
import { z } from "zod";
import type { PromptRequest } from "./mastra.ts";
import { loadMastra } from "./testing/mastra.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const lab = await loadMastra("1.71");
const bad = (id: string) => [{ id, name: "get_weather", args: '{"city":5}' }];

test("the next request after a refusal names the tool, once", async () => {
  const said = scriptedModel(bad("a"), bad("b"));
  const choices: unknown[] = [];
  const model = {
    ...said,
    async doStream(request: PromptRequest) {
      choices.push(request.toolChoice?.type === "tool" ? request.toolChoice.toolName : "free");
      return said.doStream(request);
    },
    async doGenerate(request: PromptRequest) {
      choices.push(request.toolChoice?.type === "tool" ? request.toolChoice.toolName : "free");
      return said.doGenerate(request);
    },
  };
  const get_weather = lab.tools.createTool({
    id: "get_weather",
    description: "The weather.",
    inputSchema: z.object({ city: z.string() }),
    execute: async () => "Sunny",
  });
  const config = {
    id: "a",
    name: "a",
    instructions: "Go.",
    model,
    tools: { get_weather },
  } as never;
  const guarded = lab.adapter.withContract(config, { retryWith: "tool-choice", logger: false });
  await new lab.agent.Agent(guarded).generate("Go");
  expect(choices).toEqual(["free", "get_weather", "free"]);
});
