import { expect, test } from "vitest";
import { newest } from "./testing/both-ends.ts";
import { scriptedModel } from "./testing/scripted-model.ts";
import { bad, quiet, weatherWith } from "./testing/weather.ts";

test("the next request after a refusal names the tool, once", async () => {
  const { tool } = weatherWith(newest).weather();
  const model = scriptedModel([bad("a")], [bad("b")]);
  const own = new newest.agents.Agent({ name: "a", model, tools: [tool] });
  const options = { ...quiet, retryWith: "tool-choice" } as const;
  const { agent, runner } = newest.adapter.withContract(own, options);
  await runner.run(agent, "Go");
  const choices = model.requests.map(({ modelSettings }) => modelSettings.toolChoice);
  expect(choices).toEqual([undefined, "get_weather", undefined]);
});
