import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/both-ends.ts";
import type { Lab } from "./testing/langchain.ts";
import { codeOf } from "./testing/read-messages.ts";
import { contractOf, toRan } from "./testing/run-agent.ts";
import type { ScriptedModel, Turn } from "./testing/scripted-model.ts";
import { type SpiedTool, spied } from "./testing/tools.ts";

const quiet = { logger: () => undefined };
const config = { configurable: { thread_id: "1" } };
type State = Readonly<Record<string, unknown>>;
/** Runs what a model answers; `isPaused` stores the conversation and loads it before the calls run. */
type Host = (
  lab: Lab,
  model: ScriptedModel["model"],
  tool: SpiedTool["tool"],
  isPaused: boolean,
) => Promise<State>;

const agentHost: Host = async (lab, model, tool, isPaused) => {
  const { langchain, langgraph, messages } = lab;
  const reviewed = langchain.humanInTheLoopMiddleware({
    interruptOn: { call_up: { allowedDecisions: ["approve"] } },
  } as never) as never;
  const agent = langchain.createAgent({
    model,
    tools: [tool],
    middleware: [contractOf(lab), ...(isPaused ? [reviewed] : [])],
    checkpointer: new langgraph.MemorySaver(),
  });
  const state = await agent.invoke({ messages: [new messages.HumanMessage("Go.")] }, config);
  if (!isPaused) return state as State;
  const resume = { decisions: [{ type: "approve" }] };
  return (await agent.invoke(new langgraph.Command({ resume }), config)) as State;
};

const graphHost: Host = async (lab, model, tool, isPaused) => {
  const { adapter, langgraph, messages, prebuilt } = lab;
  const { END, MessagesAnnotation, START, StateGraph } = langgraph;
  const tools = [adapter.wrapTool(tool as never, quiet)];
  const bound = model.bindTools!(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", async (state: { readonly messages: BaseMessage[] }) => ({
      messages: [
        adapter.promoteInvalidToolCalls((await bound.invoke(state.messages)) as AIMessage),
      ],
    }))
    .addNode(
      "tools",
      adapter.answerUnknownTools(new prebuilt.ToolNode(tools) as never, quiet) as never,
    )
    .addEdge(START, "model")
    .addEdge("tools", "model")
    .addConditionalEdges("model", (state: { readonly messages: readonly BaseMessage[] }) =>
      (state.messages.at(-1) as AIMessage).tool_calls?.length ? "tools" : END,
    )
    .compile({
      checkpointer: new langgraph.MemorySaver(),
      ...(isPaused && { interruptBefore: ["tools"] as never }),
    });
  const state = await graph.invoke({ messages: [new messages.HumanMessage("Go.")] }, config);
  return isPaused ? graph.invoke(null, config) : state;
};

describe.each(LABS)("what was streamed, on langchain $version", (lab) => {
  const PHONE = z.object({ phone: z.number().optional() });

  describe.each<[string, Host]>([
    ["an agent", agentHost],
    ["a graph", graphHost],
  ])("by the model of %s", (_, host) => {
    const rows: readonly [
      string,
      args: string,
      finishReason: string,
      code: string | undefined,
      ran: unknown,
    ][] = [
      [
        "a number that does not fit is refused",
        '{"phone":49301234567890123456}',
        "tool_use",
        "VAL-003",
        undefined,
      ],
      [
        "a complete call at the limit runs",
        '{"phone":4930}',
        "max_tokens",
        undefined,
        { phone: 4930 },
      ],
      [
        "a call at the limit that is not complete is refused",
        '{"phone":4930',
        "max_tokens",
        "VAL-011",
        undefined,
      ],
      ["a call without arguments runs", "", "tool_use", undefined, {}],
      ["nothing at the limit is refused", "", "max_tokens", "VAL-011", undefined],
      ["nothing, and a reason that nobody knows, is refused", "", "odd", "VAL-011", undefined],
    ];
    // Before LangChain 1.5 a ToolNode tells a tool nothing of the messages, so nothing of their finish reasons.
    const known = rows.filter(([, args]) => args !== "" || lab.isRecent || host === agentHost);
    test.each(known.flatMap((row) => [[...row, false] as const, [...row, true] as const]))(
      "%s: %s, %s (%s, %s, stored in between: %s)",
      async (_what, args, finishReason, code, ran, isPaused) => {
        const { tool, runs } = spied(lab, "call_up", PHONE);
        const turn: Turn = {
          calls: [{ id: "a", name: "call_up", args }],
          finishReason,
          streamed: true,
        };
        const script = lab.script([turn]);
        const state = await host(lab, script.model, tool, isPaused);
        const { results } = toRan(lab, state, script);
        expect([codeOf(results[0]), runs]).toEqual([code, ran === undefined ? [] : [ran]]);
      },
    );

    test.each([false, true])(
      "two calls with one id are two calls; streamed: %s",
      async (streamed) => {
        const { tool, runs } = spied(lab, "call_up", PHONE);
        const calls = ['{"phone":1}', '{"phone":2}', '{"phone":', '{"phone":"3"}'].map((args) => ({
          id: "call_up",
          name: "call_up",
          args,
        }));
        const script = lab.script([{ calls, streamed, finishReason: "tool_calls" }]);
        const { messages, results } = toRan(
          lab,
          await host(lab, script.model, tool, false),
          script,
        );
        expect(runs).toEqual([{ phone: 1 }, { phone: 2 }]);
        expect(results.map(codeOf)).toEqual([undefined, undefined, "VAL-011", "VAL-002"]);
        const ids = (messages[1] as AIMessage).tool_calls?.map(({ id }) => id);
        expect(new Set(ids).size).toBe(4);
        expect(results.map((one) => one.tool_call_id)).toEqual(ids);
      },
    );
  });
});
