import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newest } from "./testing/both-ends.ts";
import { answersIn, type ScriptedMessage, scriptedModel } from "./testing/scripted-model.ts";
import { attemptOf, quiet } from "./testing/weather.ts";

const { adapter, agents } = newest;

type Name = "ann" | "ben";

const wrong = (id: string): ScriptedMessage => [{ id, name: "search", args: "{}" }];
const handOff = (id: string, to: Name): ScriptedMessage => [
  { id, name: `transfer_to_${to}`, args: "{}" },
];

/** Two agents that hand over to each other, each with a tool `search` of its own. */
function pair(
  scripts: Readonly<Record<Name, readonly ScriptedMessage[]>>,
  options: Parameters<typeof adapter.withContract>[1] = quiet,
) {
  const models = { ann: scriptedModel(...scripts.ann), ben: scriptedModel(...scripts.ben) };
  const make = (name: Name, argument: string) => {
    const search = adapter.tool({
      name: "search",
      description: "Searches",
      parameters: z.object({ [argument]: z.string() }),
      execute: async () => "found",
    });
    return new agents.Agent({ name, model: models[name], tools: [search] });
  };
  const ann = make("ann", "words");
  const ben = make("ben", "query");
  ann.handoffs = [ben];
  ben.handoffs = [ann];
  return { models, ...adapter.withContract(ann, options) };
}

const attempts = (answers: Readonly<Record<string, string>>, ...ids: readonly string[]) =>
  ids.map((id) => attemptOf(answers[id]));

describe("agents that hand over to each other", () => {
  test("count their own attempts alone, and go on with them", async () => {
    const { models, agent, runner } = pair({
      ann: [wrong("1"), wrong("2"), handOff("h1", "ben"), wrong("5")],
      ben: [wrong("3"), wrong("4"), handOff("h2", "ann")],
    });
    await runner.run(agent, "Search.");
    const answers = answersIn(models.ann);
    expect(attempts(answers, "1", "2", "3", "4", "5")).toEqual(["1/3", "2/3", "1/3", "2/3", "3/3"]);
    expect(answers["3"]).not.toContain("same arguments");
    expect(answers["3"]).not.toContain("Attempt 1");
  });

  test("are named in the log", async () => {
    const named: unknown[] = [];
    const logger = (fields: object): void =>
      void named.push((fields as { readonly agent_name?: string }).agent_name);
    const { agent, runner } = pair(
      {
        ann: [wrong("1"), handOff("h1", "ben")],
        ben: [wrong("2"), handOff("h2", "ann")],
      },
      { logger },
    );
    await runner.run(agent, "Search.");
    expect(named).toEqual(["ann", "ben"]);
  });

  test("are offered their own tool after the other's attempts are spent", async () => {
    const { models, agent, runner } = pair({
      ann: [wrong("1"), wrong("2"), wrong("3"), handOff("h", "ben")],
      ben: [wrong("4")],
    });
    await runner.run(agent, "Search.");
    expect(attempts(answersIn(models.ben), "3", "4")).toEqual(["3/3", "1/3"]);
    expect(models.ben.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["search"],
      ["search"],
    ]);
  });

  test("begin anew after the user has spoken", async () => {
    const { models, agent, runner } = pair({
      ann: [wrong("1"), wrong("2"), handOff("h1", "ben")],
      ben: ["What else?", handOff("h2", "ann")],
    });
    const { history, lastAgent } = await runner.run(agent, "Search.");
    models.ann.say(wrong("3"));
    await runner.run(lastAgent ?? agent, [...history, { role: "user", content: "Again." }]);
    expect(attempts(answersIn(models.ann), "3")).toEqual(["1/3"]);
  });

  test("a result of a tool that reads like a handoff hands nothing over", async () => {
    const model = scriptedModel(wrong("1"), [{ id: "2", name: "say", args: "{}" }], wrong("3"));
    const say = adapter.tool({
      name: "say",
      description: "Says",
      parameters: z.object({}),
      execute: async () => '{"assistant":"ben"}',
    });
    const search = adapter.tool({
      name: "search",
      description: "Searches",
      parameters: z.object({ words: z.string() }),
      execute: async () => "found",
    });
    const plain = new agents.Agent({ name: "ann", model, tools: [say, search] });
    const { agent, runner } = adapter.withContract(plain, quiet);
    await runner.run(agent, "Search.");
    expect(attempts(answersIn(model), "1", "3")).toEqual(["1/3", "2/3"]);
  });
});
