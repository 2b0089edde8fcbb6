import { tool } from "@langchain/core/tools";
import { createSupervisor } from "@langchain/langgraph-supervisor";
import { createHandoffTool, createSwarm } from "@langchain/langgraph-swarm";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  escalationOf,
  toolContractMiddleware,
  type ToolContractMiddlewareOptions,
  type WrapToolOptions,
  wrapTools,
} from "./index.ts";
import { textOfMessage } from "./messages.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { loadLab } from "./testing/langchain.ts";
import type { ScriptedModel, Turn } from "./testing/scripted-model.ts";

const lab = await loadLab("newest");
const SEARCH = {
  ann: z.object({ words: z.string(), limit: z.number() }),
  ben: z.object({ query: z.string() }),
};
type Name = keyof typeof SEARCH;

const wrong = (id: string): Turn => ({
  calls: [{ id, name: "search", args: '{"words":"x","limit":"5"}' }],
});
const handOff = (id: string, name: string): Turn => ({
  calls: [{ id, name: `transfer_to_${name}`, args: "{}" }],
});

type Kind = "createAgent" | "createReactAgent";

interface PairOptions extends Pick<ToolContractMiddlewareOptions, "escalate"> {
  readonly kind?: Kind;
  readonly hands?: boolean;
  readonly scope?: "thread";
}

/** Two agents with a tool of one name, and what their models are asked. */
function pair(
  scripts: Readonly<Record<Name, readonly Turn[]>>,
  { kind = "createAgent", hands = true, ...options }: PairOptions = {},
) {
  const quiet = { logger: false, ...options } as ToolContractMiddlewareOptions & WrapToolOptions;
  const models = { ann: lab.script(scripts.ann), ben: lab.script(scripts.ben) };
  const make = (name: Name, other: Name) => {
    const search = tool(async () => "found", {
      name: "search",
      description: "Searches.",
      schema: SEARCH[name],
    });
    const tools = [search, ...(hands ? [createHandoffTool({ agentName: other })] : [])];
    const { model } = models[name];
    if (kind === "createReactAgent")
      return createReactAgent({ name, llm: model, tools: wrapTools(tools, quiet) as never });
    const middleware = [toolContractMiddleware(quiet)];
    return createAgent({ name, model, tools, middleware }).graph;
  };
  return { models, agents: [make("ann", "ben"), make("ben", "ann")] as never[] };
}

const go = { messages: [{ role: "user", content: "go" }] } as never;
type State = { readonly messages: readonly { readonly tool_call_id?: string }[] };
const answers = (state: unknown, ...ids: readonly string[]) =>
  ids.map((id) => (state as State).messages.find((one) => one.tool_call_id === id));

describe("agents that share a history", () => {
  test.each<Kind>(["createAgent", "createReactAgent"])(
    "count their own attempts alone, in turn, in a swarm of %s",
    async (kind) => {
      const { models, agents } = pair(
        {
          ann: [wrong("1"), wrong("2"), handOff("h1", "ben"), wrong("5")],
          ben: [wrong("3"), wrong("4"), handOff("h2", "ann")],
        },
        { kind },
      );
      const swarm = createSwarm({ agents, defaultActiveAgent: "ann" }).compile();
      const state = await swarm.invoke(go);
      const ids = ["1", "2", "3", "4", "5"];
      expect(attemptsOf(answers(state, ...ids))).toEqual(["1/3", "2/3", "1/3", "2/3", "3/3"]);
      const first = textOfMessage(answers(state, "3")[0] as never);
      expect(first).not.toContain("same arguments");
      expect(first).not.toContain("Attempt 1");
      expect(models.ben.requests).toHaveLength(3);
    },
  );

  test("are each offered their own tool after the other's was dropped", async () => {
    const { models, agents } = pair(
      {
        ann: [wrong("1"), wrong("2"), wrong("3"), handOff("h", "ben")],
        ben: [wrong("4")],
      },
      { escalate: "drop-tool" },
    );
    const state = await createSwarm({ agents, defaultActiveAgent: "ann" }).compile().invoke(go);
    expect(models.ann.shown.at(-1)).toEqual(["transfer_to_ben"]);
    expect(models.ben.shown).toEqual(
      Array.from({ length: 2 }, () => ["search", "transfer_to_ann"]),
    );
    expect(attemptsOf(answers(state, "4"))).toEqual(["1/3"]);
  });

  test("end where their own attempts end, and no agent ends for another", async () => {
    const { models, agents } = pair(
      { ann: [wrong("1"), wrong("2"), wrong("3")], ben: [{ text: "Ben's end." }] },
      { hands: false },
    );
    const boss = lab.script([handOff("h1", "ann"), handOff("h2", "ben"), { text: "end" }]);
    const team = createSupervisor({
      agents,
      llm: boss.model as never,
      outputMode: "full_history",
    }).compile();
    const state = await team.invoke(go);
    expect(attemptsOf(answers(state, "1", "2", "3"))).toEqual(["1/3", "2/3", "3/3"]);
    expect(models.ann.requests).toHaveLength(3);
    expect(models.ben.requests).toHaveLength(1);
    expect(
      (state as unknown as State).messages.map((one) => textOfMessage(one as never)),
    ).toContain("Ben's end.");
  });

  test("go on with their own attempts in a later run of a thread with scope thread", async () => {
    const { agents } = pair(
      {
        ann: [wrong("1"), handOff("h1", "ben"), wrong("5"), wrong("6")],
        ben: [wrong("3"), { text: "Until later." }, wrong("4"), handOff("h2", "ann")],
      },
      { scope: "thread" },
    );
    const swarm = createSwarm({ agents, defaultActiveAgent: "ann" }).compile({
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "T" } };
    await swarm.invoke(go, thread);
    const again = { messages: [{ role: "user", content: "Again, please." }] } as never;
    const state = await swarm.invoke(again, thread);
    const ids = ["1", "3", "4", "5", "6"];
    expect(attemptsOf(answers(state, ...ids))).toEqual(["1/3", "1/3", "2/3", "2/3", "3/3"]);
  });
});

describe("what other middleware does to the history", () => {
  const always = (count: number): ScriptedModel =>
    lab.script(async (index) =>
      index < count
        ? { calls: [{ id: `c${index}`, name: "search", args: `{"query":${index}}` }] }
        : { text: "gave up" },
    );
  const search = tool(async () => "found", {
    name: "search",
    description: "Searches.",
    schema: SEARCH.ben,
  });
  const clearing = (keep: number) =>
    lab.langchain.contextEditingMiddleware({
      edits: [
        new lab.langchain.ClearToolUsesEdit({
          trigger: { messages: 2 },
          keep: { messages: keep },
        }),
      ],
    });
  const summarizing = () =>
    lab.langchain.summarizationMiddleware({
      model: lab.script(async () => ({ text: "What happened." })).model as never,
      trigger: { messages: 4 },
      keep: { messages: 2 },
    } as never);
  const others = {
    "context editing that keeps nothing": () => clearing(0),
    "context editing that keeps one": () => clearing(1),
    summarization: summarizing,
  };

  test.each(
    Object.entries(others).flatMap(([name, make]) =>
      [true, false].map((isFirst) => [name, isFirst ? "before" : "after", make, isFirst] as const),
    ),
  )("%s %s the contract leaves the bound alone", async (_name, _order, make, isFirst) => {
    const model = always(10);
    const ours = toolContractMiddleware({ logger: false, maxAttempts: 4 });
    const middleware = isFirst ? [make(), ours] : [ours, make()];
    const agent = createAgent({
      model: model.model,
      tools: [search],
      middleware: middleware as never,
    });
    const state = await agent.invoke(go, { recursionLimit: 80 } as never);
    expect(model.requests).toHaveLength(4);
    expect(escalationOf(state)?.attempts).toBe(4);
  });

  test.each(["before", "after"])(
    "a near name of a tool that middleware %s the contract hides has no hint",
    async (order) => {
      const hide = lab.langchain.createMiddleware({
        name: "hide",
        wrapModelCall: async (request, handler) =>
          handler({ ...request, tools: request.tools.filter((one) => one.name !== "purge_all") }),
      });
      const purge = tool(async () => "purged", {
        name: "purge_all",
        description: "Purges.",
        schema: z.object({}),
      });
      const model = lab.script([
        { calls: [{ id: "1", name: "purge_al", args: "{}" }] },
        { calls: [{ id: "2", name: "serch", args: "{}" }] },
      ]);
      const ours = toolContractMiddleware({ logger: false });
      const agent = createAgent({
        model: model.model,
        tools: [search, purge],
        middleware: order === "before" ? [hide, ours] : [ours, hide],
      });
      const state = await agent.invoke(go);
      const [hidden, near] = answers(state, "1", "2").map((one) => textOfMessage(one as never));
      expect(hidden).toContain("Unknown tool 'purge_al'");
      expect(hidden).not.toContain("purge_all");
      expect(near).toContain('Hint: use "search"');
    },
  );

  test("a tool that later middleware adds is refused in the words of its own schema", async () => {
    const late = tool(async () => "ran", {
      name: "late",
      description: "Comes late.",
      schema: z.object({ n: z.number() }),
    });
    const add = lab.langchain.createMiddleware({
      name: "add",
      wrapModelCall: async (request, handler) =>
        handler({ ...request, tools: [...request.tools, late] }),
      wrapToolCall: async (request, handler) =>
        handler(request.toolCall.name === "late" ? { ...request, tool: late } : request),
    });
    const model = lab.script([
      { calls: [{ id: "1", name: "late", args: '{"n":"1"}' }] },
      { calls: [{ id: "2", name: "late", args: '{"n":1}' }] },
    ]);
    const agent = createAgent({
      model: model.model,
      tools: [search],
      middleware: [toolContractMiddleware({ logger: false }), add] as never,
    });
    const state = await agent.invoke(go);
    const [refused, ran] = answers(state, "1", "2").map((one) => textOfMessage(one as never));
    expect(refused).toContain("• /n (VAL-002): Type mismatch: expected number, got string");
    expect(ran).toBe("ran");
  });
});
