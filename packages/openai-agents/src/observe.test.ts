import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { newest } from "./testing/both-ends.ts";
import { answersIn, scriptedModel, type ScriptedMessage } from "./testing/scripted-model.ts";
import { weatherWith } from "./testing/weather.ts";

const { agents, adapter } = newest;
const { weather } = weatherWith(newest);
const call = (id: string, args: string, name = "get_weather") => [{ id, name, args }];

describe("OpenAI Agents, mode observe", () => {
  const ROWS: readonly (readonly [string, readonly ScriptedMessage[], object])[] = [
    [
      "arguments that it takes",
      [call("a", '{"city":5}'), call("b", '{"city":"Oslo"}')],
      { "VAL-002": 1 },
    ],
    ["what only a rule refuses", [call("a", '{"city":"Atlantis"}')], { "VAL-016": 1 }],
    ["arguments that it cannot read", [call("a", '{"city":"Os')], { "VAL-011": 1 }],
  ];

  test.each(ROWS)(
    "the model reads what it reads without a contract: %s",
    async (_, said, byCode) => {
      const { tool, runs } = weather();
      const bare = scriptedModel(...said);
      const agent = (model: typeof bare) => new agents.Agent({ name: "a", model, tools: [tool] });
      const ended = await new agents.Runner().run(agent(bare), "Go").then(
        ({ finalOutput }) => finalOutput,
        (thrown: unknown) => String(thrown),
      );
      const ran = runs.splice(0);
      const rule = ({ city }: { city: string }) =>
        city === "Atlantis" ? [{ message: "lost" }] : [];
      const contract = createContract({
        mode: "observe",
        logger: false,
        rules: { get_weather: [rule] },
      });
      const observed = scriptedModel(...said);
      const guarded = adapter.withContract(agent(observed), { contract });
      const end = await guarded.runner.run(guarded.agent, "Go").then(
        ({ finalOutput }) => finalOutput,
        (thrown: unknown) => String(thrown),
      );
      expect(end).toEqual(ended);
      expect(runs).toEqual(ran);
      expect(answersIn(observed)).toEqual(answersIn(bare));
      expect(contract.metrics().byCode).toEqual(byCode);
    },
  );

  test("an unknown tool ends the run, as it does without a contract", async () => {
    const model = scriptedModel(call("a", "{}", "get_wether"));
    const contract = createContract({ mode: "observe", logger: false });
    const own = new agents.Agent({ name: "a", model, tools: [weather().tool] });
    const { agent, runner } = adapter.withContract(own, { contract });
    await expect(runner.run(agent, "Go")).rejects.toThrow("get_wether");
    expect(contract.metrics().byCode).toEqual({ "VAL-012": 1 });
  });
});
