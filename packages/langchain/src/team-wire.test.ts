import { tool } from "@langchain/core/tools";
import { createSupervisor } from "@langchain/langgraph-supervisor";
import { createHandoffTool, createSwarm } from "@langchain/langgraph-swarm";
import { ChatOpenAI } from "@langchain/openai";
import { createGuardrails } from "@toolcontract/guardrails";
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from "deepagents";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { wrapAgents, wrapTools } from "./index.ts";
import { type FakeBody, fakeFetch } from "./testing/fake-fetch.ts";

type Turn = readonly [name: string, args: object] | string;

const bodyOf = (turn: Turn, id: string): FakeBody => {
  const isText = typeof turn === "string";
  const [name, args] = isText ? [] : turn;
  const called = { name, arguments: JSON.stringify(args) };
  const message = isText
    ? { content: turn }
    : { content: null, tool_calls: [{ id, type: "function", function: called }] };
  const choice = { index: 0, message: { role: "assistant", ...message } };
  return { choices: [{ ...choice, finish_reason: isText ? "stop" : "tool_calls" }] };
};

/** The models of OpenAI's client that say these turns, and what each was sent. */
function models<Name extends string>(turns: Readonly<Record<Name, readonly Turn[]>>) {
  const made = Object.entries<readonly Turn[]>(turns).map(([name, own]) => {
    const { fetch, bodies } = fakeFetch(own.map((turn, index) => bodyOf(turn, `${name}_${index}`)));
    const configuration = { fetch };
    const model = new ChatOpenAI({ model: "gpt-4o", apiKey: "none", configuration });
    return [name, { model, bodies }] as const;
  });
  const of = Object.fromEntries(made) as unknown as Readonly<
    Record<Name, { readonly model: ChatOpenAI; readonly bodies: readonly object[] }>
  >;
  // LangGraph makes ids of its own for messages about a handoff.
  const text = (): string => JSON.stringify(made.map(([name, { bodies }]) => [name, bodies]));
  return { of, sent: () => text().replaceAll(UUID, "an id") };
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

const search = tool(async ({ words }) => `found ${words}`, {
  name: "search",
  description: "Searches.",
  schema: z.object({ words: z.string() }),
});
const FIND: Turn = ["search", { words: "rain" }];
const go = { messages: [{ role: "user", content: "go" }] } as never;
const guardrails = createGuardrails({
  guardrails: [],
  effects: { search: "none", ask: "none", task: "none" },
  tools: ["search", "ask", "task"],
});
const options = { guardrails, logger: false } as const;

/** What puts a team under the contract, or leaves it as it is. */
interface Wrap {
  readonly agents: typeof wrapAgents;
  readonly tools: typeof wrapTools;
}
const WRAPPED: Wrap = {
  agents: (agents) => wrapAgents(agents, options),
  tools: (tools) => wrapTools(tools, options),
};
const BARE: Wrap = {
  agents: ((agents: unknown) => agents) as never,
  tools: ((tools: unknown) => tools) as never,
};

const TEAMS: Readonly<Record<string, (wrap: Wrap) => Promise<string>>> = {
  async deepagents(wrap) {
    const task = (agent: string): Turn => ["task", { description: agent, subagent_type: agent }];
    const { of, sent } = models({
      lead: [task("general-purpose"), FIND, task("desk"), "end"],
      general: [FIND, "done"],
      desk: [FIND, "done"],
    });
    const desk = { name: "desk", description: "Searches.", systemPrompt: "You search." };
    const [settings] = wrap.agents([
      {
        model: of.lead.model,
        tools: [search],
        subagents: [
          { ...GENERAL_PURPOSE_SUBAGENT, model: of.general.model },
          { ...desk, model: of.desk.model, tools: [search] },
        ],
      },
    ]);
    await createDeepAgent(settings).invoke(go);
    return sent();
  },
  async swarm(wrap) {
    const { of, sent } = models({
      ann: [FIND, ["transfer_to_ben", {}], FIND, "end"],
      ben: [FIND, ["transfer_to_ann", {}]],
    });
    const handTo = (agentName: string) => createHandoffTool({ agentName });
    const agents = wrap
      .agents([
        { name: "ann", model: of.ann.model, tools: [search, handTo("ben")] },
        { name: "ben", model: of.ben.model, tools: [search, handTo("ann")] },
      ])
      .map((settings) => createAgent(settings as never).graph);
    await createSwarm({ agents: agents as never[], defaultActiveAgent: "ann" })
      .compile()
      .invoke(go);
    return sent();
  },
  async supervisor(wrap) {
    const { of, sent } = models({
      boss: [FIND, ["transfer_to_ann", {}], "end"],
      ann: [FIND, "done"],
    });
    const [ann] = wrap.agents([{ name: "ann", model: of.ann.model, tools: [search] }]);
    const team = createSupervisor({
      agents: [createAgent(ann).graph],
      llm: of.boss.model,
      tools: wrap.tools([search]),
      outputMode: "full_history",
    });
    await team.compile().invoke(go);
    return sent();
  },
  async "an agent as a tool"(wrap) {
    const { of, sent } = models({
      lead: [["ask", {}], FIND, "end"],
      ann: [FIND, "done"],
    });
    const [ann] = wrap.agents([{ name: "ann", model: of.ann.model, tools: [search] }]);
    const inner = createAgent(ann);
    const ask = tool(async () => (await inner.invoke(go)).messages.at(-1)?.text, {
      name: "ask",
      description: "Asks.",
      schema: z.object({}),
    });
    const [lead] = wrap.agents([{ name: "lead", model: of.lead.model, tools: [ask, search] }]);
    await createAgent(lead).invoke(go);
    return sent();
  },
};

test.each(Object.entries(TEAMS))(
  "OpenAI is sent the same of valid calls, with the contract and without: %s",
  async (_, team) => {
    const bare = await team(BARE);
    expect(JSON.parse(await team(WRAPPED))).toEqual(JSON.parse(bare));
    expect(bare.match(/found rain/g)?.length).toBeGreaterThan(1);
  },
);
