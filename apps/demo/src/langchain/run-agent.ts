import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import type { Contract } from "@toolcontract/core";
import {
  escalationOf,
  promoteInvalidToolCalls,
  toolContractMiddleware,
  wrapTools,
} from "@toolcontract/langchain";
import { createAgent } from "langchain";
import type { AgentRun, AgentScenario } from "./agent-scenario.ts";
import { ScriptedChatModel } from "./scripted-chat-model.ts";
import type { Toolbox } from "./toolbox.ts";

interface State {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly { readonly value?: unknown }[];
}

interface Runnable {
  invoke(input: never, config: object): Promise<unknown>;
  getState(config: object): Promise<{ readonly values: unknown }>;
}

/** Runs a scripted model in LangChain's own loop, with or without a contract. */
export async function runAgent(
  scenario: AgentScenario,
  toolbox: Toolbox,
  contract?: Contract,
): Promise<AgentRun> {
  const model = new ScriptedChatModel(scenario.script);
  const runnable =
    scenario.runs === "ToolNode"
      ? createGraph(model, toolbox, contract)
      : createScriptedAgent(model, scenario, toolbox, contract);
  const config = { configurable: { thread_id: scenario.name } };
  const ask = async (input: object): Promise<State> =>
    (await runnable.invoke(input as never, config)) as State;

  let thrown: Error | undefined;
  let state: State = { messages: [] };
  const interrupts: unknown[] = [];
  try {
    state = await ask({ messages: [new HumanMessage("Please.")] });
    while (state.__interrupt__) {
      interrupts.push(...state.__interrupt__.map(({ value }) => value));
      state = await ask(new Command({ resume: scenario.person }));
    }
  } catch (error) {
    thrown = error as Error;
    state = (await runnable.getState(config)).values as State;
  }
  const { messages } = state;
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  return {
    turns: model.turns,
    requests: model.requests,
    answers: new Map(
      results.map(({ tool_call_id: id, text, status }) => [id, { text: installed(text), status }]),
    ),
    reached: toolbox.reached,
    last: messages.at(-1)?.text ?? "",
    escalation: escalationOf(state),
    interrupts,
    ...(thrown && { thrown }),
  };
}

/** Shortens the paths of a stack trace to those of a plain project; their length here is not LangChain's fault. */
function installed(text: string): string {
  return text.replaceAll(/file:\/\/\S*\/node_modules\//g, "file:///app/node_modules/");
}

function createScriptedAgent(
  model: ScriptedChatModel,
  { escalate = "end" }: AgentScenario,
  { tools }: Toolbox,
  contract: Contract | undefined,
): Runnable {
  const middleware = contract ? [toolContractMiddleware({ contract, escalate })] : [];
  return createAgent({ model, tools, middleware, checkpointer: new MemorySaver() });
}

/** The graph of LangGraph's own examples; with a contract, three of its lines differ. */
function createGraph(
  model: ScriptedChatModel,
  toolbox: Toolbox,
  contract: Contract | undefined,
): Runnable {
  const tools = contract ? wrapTools(toolbox.tools, { contract }) : toolbox.tools;
  const bound = model.bindTools();
  const ask = async ({ messages }: State): Promise<{ messages: AIMessage[] }> => {
    const message = await bound.invoke([...messages]);
    return { messages: [contract ? promoteInvalidToolCalls(message, { contract }) : message] };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode("model", ask)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition)
    .addConditionalEdges("tools", (state) => (escalationOf(state) ? END : "model"))
    .compile({ checkpointer: new MemorySaver() });
}
