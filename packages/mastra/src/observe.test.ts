import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { answersIn, type ScriptedMessage, scriptedModel } from "./testing/scripted-model.ts";

const lab = await loadMastra("1.71");
const call = (id: string, args: string, name = "get_weather") => [{ id, name, args }];

describe("Mastra, mode observe", () => {
  const ROWS: readonly (readonly [string, readonly ScriptedMessage[], object])[] = [
    [
      "arguments that it refuses itself",
      [call("a", '{"city":5}'), call("b", '{"city":"Oslo"}')],
      { "VAL-002": 1 },
    ],
    ["what only a rule refuses", [call("a", '{"city":"Atlantis"}')], { "VAL-016": 1 }],
    ["an unknown tool", [call("a", "{}", "get_wether")], { "VAL-012": 1 }],
  ];

  test.each(ROWS)(
    "the model reads what it reads without a contract: %s",
    async (_, said, byCode) => {
      const runs: unknown[] = [];
      const get_weather = lab.tools.createTool({
        id: "get_weather",
        description: "The weather.",
        inputSchema: z.object({ city: z.string() }),
        execute: async (input: unknown) => {
          runs.push(input);
          return "Sunny";
        },
      });
      const config = (model: ReturnType<typeof scriptedModel>) =>
        ({ id: "a", name: "a", instructions: "Go.", model, tools: { get_weather } }) as never;
      const bare = scriptedModel(...said);
      await new lab.agent.Agent(config(bare)).generate("Go");
      const ran = runs.splice(0);
      const rule = ({ city }: { city: string }) =>
        city === "Atlantis" ? [{ message: "lost" }] : [];
      const contract = createContract({
        mode: "observe",
        logger: false,
        rules: { get_weather: [rule] },
      });
      const observed = scriptedModel(...said);
      await new lab.agent.Agent(lab.adapter.withContract(config(observed), { contract })).generate(
        "Go",
      );
      expect(runs).toEqual(ran);
      expect(answersIn(observed)).toEqual(answersIn(bare));
      expect(contract.metrics().byCode).toEqual(byCode);
    },
  );
});
