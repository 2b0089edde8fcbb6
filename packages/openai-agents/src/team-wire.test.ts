import type { Agent, AgentInputItem } from "@openai/agents";
import { createGuardrails } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newest, oldest } from "./testing/both-ends.ts";
import {
  type ScriptedMessage,
  type ScriptedModel,
  scriptedModel,
} from "./testing/scripted-model.ts";

const find = (id: string) => ({ id, name: "find", args: '{"id":"a"}' });
const ask = (id: string) => ({ id, name: "ask", args: '{"input":"Look."}' });
const handTo = (id: string, to: string) => ({ id, name: `transfer_to_${to}`, args: "{}" });

const guardrails = createGuardrails({
  guardrails: [],
  effects: { ask: "none", find: "none" },
  tools: ["ask", "find"],
});

/** What models were sent. */
function sentTo(...models: readonly ScriptedModel[]): unknown {
  const requests = models.map((model) =>
    model.requests.map((request) => ({ ...request, signal: undefined })),
  );
  return JSON.parse(JSON.stringify(requests));
}

describe.each([newest, oldest])("a team of OpenAI Agents $version", ({ adapter, agents }) => {
  /** How an agent is run: with the contract or without. */
  type Wrap = (agent: Agent) => {
    readonly agent: Agent;
    readonly runner: InstanceType<typeof agents.Runner>;
  };
  const bare: Wrap = (agent) => ({ agent, runner: new agents.Runner() });
  const under =
    (more: object): Wrap =>
    (agent) =>
      adapter.withContract(agent, { ...more, logger: false });

  const findTool = () =>
    agents.tool({
      name: "find",
      description: "Finds.",
      parameters: z.object({ id: z.string() }),
      execute: async ({ id }) => `found ${id}`,
    });
  const agentOf = (name: string, model: ScriptedModel, ...tools: readonly object[]): Agent =>
    new agents.Agent({ name, instructions: "Search.", model, tools: tools as never });

  /** Two messages of the user, of which the second has what became of the first. */
  async function chat(wrap: Wrap, entry: Agent, stream: boolean): Promise<void> {
    const { agent: first, runner } = wrap(entry);
    let agent = first;
    let input: AgentInputItem[] = [];
    for (const content of ["Go.", "Go on."]) {
      input = [...input, { role: "user", content }];
      const result = stream
        ? await runner.run(agent, input, { stream: true })
        : await runner.run(agent, input);
      if ("completed" in result) await result.completed;
      input = result.history;
      agent = result.lastAgent ?? agent;
    }
  }

  const teams = {
    async "with an agent as a tool"(wrap: Wrap, stream: boolean) {
      const desk = scriptedModel([find("c1")], "the first", [find("c5")], "the second");
      const lead = scriptedModel([ask("c2"), find("c3")], "one", [ask("c4")], "two");
      const office = wrap(agentOf("desk", desk, findTool())).agent.asTool({
        toolName: "ask",
        toolDescription: "Asks.",
      });
      await chat(wrap, agentOf("lead", lead, office, findTool()), stream);
      return sentTo(lead, desk);
    },
    async "with handoffs"(wrap: Wrap, stream: boolean) {
      const script = (...messages: readonly ScriptedMessage[]) => scriptedModel(...messages);
      const ann = script([find("c1")], [handTo("h1", "ben")], [find("c4")], "the second");
      const ben = script([find("c2"), find("c3")], "the first", [handTo("h2", "ann")]);
      const first = agentOf("ann", ann, findTool());
      const second = agentOf("ben", ben, findTool());
      first.handoffs = [second];
      second.handoffs = [first];
      await chat(wrap, first, stream);
      return sentTo(ann, ben);
    },
  };

  describe.each(Object.entries(teams))("%s", (_, team) => {
    test.each([
      ["the contract", false, {}],
      ["the contract", true, {}],
      ["guardrails", false, { guardrails }],
      ["guardrails", true, { guardrails }],
    ])("sends with %s what it sends without, streamed: %s", async (_with, stream, more) => {
      const without = await team(bare, stream);
      expect(await team(under(more), stream)).toEqual(without);
      expect(JSON.stringify(without).match(/found a/g)?.length).toBeGreaterThan(4);
    });
  });
});
