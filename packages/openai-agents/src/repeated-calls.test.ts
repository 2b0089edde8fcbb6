import { describe, expect, test } from "vitest";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, type ScriptedMessage, scriptedModel } from "./testing/scripted-model.ts";
import { attemptOf, bad, good, quiet, weatherWith } from "./testing/weather.ts";

const callOf = (id: string, args: string, more: object = {}) => ({ ...good(id), args, ...more });
const OSLO = { city: "Oslo" };
const BERGEN = { city: "Bergen" };
const bergen = (id: string) => callOf(id, '{"city":"Bergen"}');

describe("a call that the provider sends again", () => {
  const { agents, adapter } = newest;
  const { weather, agentOf } = weatherWith(newest);

  async function runOf(messages: readonly ScriptedMessage[], more: object = {}, options = {}) {
    const { tool, runs } = weather(more);
    const model = scriptedModel(...messages);
    const { agent, runner } = adapter.withContract(agentOf(model, tool), { ...quiet, ...options });
    return { runs, model, runner, agent, result: await runner.run(agent, "Go.") };
  }

  test.each<[string, readonly ScriptedMessage[], readonly unknown[]]>([
    ["as it was", [[good("a")], [good("a")]], [OSLO]],
    ["twice", [[good("a")], [good("a")], [good("a")]], [OSLO]],
    ["twice in one message", [[good("a"), good("a")]], [OSLO]],
    ["with other blanks", [[good("a")], [callOf("a", '{ "city": "Oslo" }')]], [OSLO]],
    [
      "with arguments that were repaired",
      [[callOf("a", "{'city':'Oslo'}")], [callOf("a", "{'city':'Oslo'}")]],
      [OSLO],
    ],
    ["beside a new one", [[good("a")], [good("a"), bergen("b")]], [OSLO, BERGEN]],
    ["with other arguments", [[good("a")], [bergen("a")]], [OSLO, BERGEN]],
    ["with other arguments, twice", [[good("a")], [bergen("a")], [bergen("a")]], [OSLO, BERGEN]],
    ["under another id", [[good("a")], [good("b")]], [OSLO, OSLO]],
    ["without an id", [[good("")], [good("")]], [OSLO, OSLO]],
    ["for a new question", [[good("a")], "Sunny.", [good("a")]], [OSLO]],
  ])("%s", async (_, messages, ran) => {
    const { runs, result } = await runOf(messages);
    expect(runs).toEqual(ran);
    expect(result.finalOutput).toBeTypeOf("string");
  });

  test("is one call to a person too, whether it is allowed or rejected", async () => {
    for (const decision of ["approve", "reject"] as const) {
      const messages = [[good("a")], [good("a")]];
      const { runs, runner, agent, result } = await runOf(messages, { needsApproval: true });
      for (const item of result.interruptions) result.state[decision](item);
      const end = await runner.run(agent, result.state);
      expect(end.interruptions).toEqual([]);
      expect(end.finalOutput).toBe("Done.");
      expect(runs).toEqual(decision === "approve" ? [OSLO] : []);
    }
  });

  test("is known again in another process, from the stored state", async () => {
    const first = await runOf([[good("a"), good("b", "wait")]], {}, {});
    const { tool, runs } = weather();
    const { tool: wait } = weather({ name: "wait", needsApproval: true });
    const one = adapter.withContract(
      agentOf(scriptedModel([good("a"), good("b", "wait")]), tool, wait),
      quiet,
    );
    const stored = (await one.runner.run(one.agent, "Go.")).state.toString();
    const other = adapter.withContract(agentOf(scriptedModel([good("a")]), tool, wait), quiet);
    const state = await agents.RunState.fromString(other.agent, stored);
    for (const item of state.getInterruptions()) state.approve(item);
    await other.runner.run(other.agent, state);
    expect(runs).toEqual([OSLO]);
    expect(first.runs).toEqual([OSLO]);
  });

  test("is another one in a later run of the session", async () => {
    const { runs, runner, agent, model } = await runOf([]);
    const session = new agents.MemorySession();
    model.say([good("a")], "Sunny.", [good("a")]);
    await runner.run(agent, "Oslo?", { session });
    await runner.run(agent, "And now?", { session });
    expect(runs).toEqual([OSLO, OSLO]);
    const ids = (await session.getItems()).flatMap((item) =>
      item.type === "function_call" ? item.callId : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  test("is refused again if it was refused, and each time counts", async () => {
    const { runs, model } = await runOf([[bad("a")], [bad("a")], [bad("a")]]);
    expect(Object.values(answersIn(model)).map(attemptOf)).toEqual(["1/3", "2/3", "3/3"]);
    expect(runs).toEqual([]);
  });

  test("does not use up the calls of its message", async () => {
    const { runs, model } = await runOf([[good("a"), good("a")]], {}, { maxCallsPerTurn: 1 });
    expect(runs).toEqual([OSLO]);
    expect(answersIn(model)).toEqual({ a: "Sunny in Oslo" });
  });

  test("is another one if another program makes it", async () => {
    const programOf = (callerId: string) => ({ caller: { type: "program", callerId } });
    const args = '{"city":"Oslo"}';
    const { runs } = await runOf(
      [[callOf("a", args, programOf("p"))], [callOf("a", args, programOf("q"))]],
      { allowedCallers: ["programmatic"] },
    );
    expect(runs).toEqual([OSLO, OSLO]);
  });
});

test("older versions, which run such a call again, are given another id for it", async () => {
  const { tool, runs } = weatherWith(oldest).weather();
  const model = scriptedModel([good("a")], [good("a")]);
  const plain = weatherWith(oldest).agentOf(model, tool);
  const { agent, runner } = oldest.adapter.withContract(plain, quiet);
  await runner.run(agent, "Go.");
  expect(runs).toEqual([OSLO, OSLO]);
  expect(Object.values(answersIn(model))).toEqual(["Sunny in Oslo", "Sunny in Oslo"]);
});
