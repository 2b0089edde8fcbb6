import type { Agent, RunConfig } from "@openai/agents";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, type ScriptedModel, scriptedModel } from "./testing/scripted-model.ts";
import { bad, quiet, weatherWith } from "./testing/weather.ts";

const ASK = { id: "ask", name: "office", args: '{"input":"Sign."}' };
const OFFICE = { toolName: "office", toolDescription: "The office." };

describe.each([newest, oldest])("agents that are tools, with OpenAI Agents $version", (sdk) => {
  const { agents, adapter } = sdk;
  const { withContract } = adapter;
  const { weather, agentOf } = weatherWith(sdk);
  const guarded = (agent: Agent): Agent => withContract(agent, quiet).agent;
  const plain = (agent: Agent): Agent => agent;

  describe.each([
    ["plain", plain],
    ["guarded", guarded],
  ])("that are %s", (_, inner) => {
    test.each([
      ["this process", false],
      ["a stored state", true],
    ])("an approval inside of them is asked for once, from %s", async (_from, isStored) => {
      const signed: number[] = [];
      const sign = agents.tool({
        name: "sign",
        description: "Signs.",
        parameters: z.object({ page: z.number() }),
        needsApproval: true,
        execute: async ({ page }) => (signed.push(page), "signed"),
      });
      const clerk = scriptedModel([{ id: "s", name: "sign", args: '{"page":2}' }], "Signed.");
      const office = inner(new agents.Agent({ name: "clerk", model: clerk, tools: [sign] }));
      const model = scriptedModel([ASK]);
      const { agent, runner } = withContract(agentOf(model, office.asTool(OFFICE)), quiet);
      const first = await runner.run(agent, "Go.");
      expect(first.interruptions).toHaveLength(1);
      const saved = first.state.toString();
      const state = isStored ? await agents.RunState.fromString(agent, saved) : first.state;
      for (const item of state.getInterruptions()) state.approve(item);
      const { interruptions, finalOutput } = await runner.run(agent, state as typeof first.state);
      expect(interruptions).toEqual([]);
      expect(signed).toEqual([2]);
      expect(finalOutput).toBe("Done.");
      expect(answersIn(model)["ask"]).toBe("Signed.");
    });
  });

  test("a wrong call of such a tool is refused, and the agent does not run", async () => {
    const clerk = scriptedModel();
    const office = guarded(agentOf(clerk)).asTool(OFFICE);
    const model = scriptedModel([{ ...ASK, args: '{"input":5}' }]);
    const { agent, runner } = withContract(agentOf(model, office), quiet);
    await runner.run(agent, "Go.");
    expect(answersIn(model)["ask"]).toContain("/input (VAL-002)");
    expect(clerk.requests).toEqual([]);
  });

  describe("inherit what the run around them has, and are guarded", () => {
    /** A provider of one model, and the names that it was asked for. */
    function providerOf(model: ScriptedModel) {
      const names: (string | undefined)[] = [];
      return { names, getModel: async (name?: string) => (names.push(name), model) };
    }

    type Around = (model: ScriptedModel) => Partial<RunConfig>;
    const arounds: readonly (readonly [string, Around])[] = [
      ["a provider", (model) => ({ modelProvider: providerOf(model) })],
      ["a model", (model) => ({ model })],
    ];

    describe.each(["guarded", "plain"])("in a run of a %s agent", (kind) => {
      test.each(arounds)("%s", async (_, around) => {
        const model = scriptedModel([bad("a"), { ...bad("b"), name: "get_wether" }]);
        const office = new agents.Agent({ name: "clerk", tools: [weather().tool] });
        const outer = agentOf(scriptedModel([ASK]), guarded(office).asTool(OFFICE));
        const runConfig = { ...around(model), modelSettings: { temperature: 0.5 } };
        const { agent, runner } =
          kind === "guarded"
            ? withContract(outer, { ...quiet, runConfig })
            : { agent: outer, runner: new agents.Runner(runConfig) };
        await runner.run(agent, "Go.");
        const { a, b } = answersIn(model);
        expect(a).toContain("/city (VAL-002)");
        expect(b).toContain('use "get_weather"');
        expect(model.requests[0]?.modelSettings.temperature).toBe(0.5);
      });
    });

    test.each(arounds)("but what their own options name comes first: %s", async (_, own) => {
      const [wanted, other] = [scriptedModel([bad("a")]), scriptedModel()];
      const office = new agents.Agent({ name: "clerk", tools: [weather().tool] });
      const asked = guarded(office).asTool({ ...OFFICE, runConfig: own(wanted) });
      const { agent, runner } = withContract(agentOf(scriptedModel([ASK]), asked), {
        ...quiet,
        runConfig: { modelProvider: providerOf(other) },
      });
      await runner.run(agent, "Go.");
      expect(answersIn(wanted)["a"]).toContain("/city (VAL-002)");
      expect(other.requests).toEqual([]);
    });
  });
});
