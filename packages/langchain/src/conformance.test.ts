import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  type CallReport,
  type Capability,
  type CaseGuardrails,
  type CaseTurn,
  type ConformanceCase,
  type CreateHarness,
  describeAdapter,
  outputOf,
  watched,
  watchedOptions,
} from "@toolcontract/case-table";
import { createContract, parseRejection } from "@toolcontract/core";
import { createGuardrails, slotStore } from "@toolcontract/guardrails";
import { LABS } from "./testing/both-ends.ts";
import type { Lab, Line } from "./testing/langchain.ts";
import { toMessage, type Turn } from "./testing/scripted-model.ts";

const making = {
  parseRejection,
  createGuardrails: ({ state, ...options }: CaseGuardrails) =>
    createGuardrails({ ...options, store: slotStore(state) }),
};

type Gaps = Partial<Record<Capability, string>>;

const NO_STATE = "this version's ToolNode tells a tool nothing of the messages";

/** What a version cannot express. */
const AGENT_CANNOT: Partial<Record<Line, Gaps>> = {
  oldest: { unknownTools: "this version throws before any middleware is asked" },
};
const NODE_CANNOT: Partial<Record<Line, Gaps>> = {
  middle: { finishReason: NO_STATE, userMessages: NO_STATE },
  oldest: { finishReason: NO_STATE, userMessages: NO_STATE },
};

for (const lab of LABS) {
  const { version, line } = lab;
  describeAdapter(`langchain ${version} createAgent`, agentHarness(lab), {
    ...making,
    share: line === "newest" ? "one style" : "one in six",
    cannot: AGENT_CANNOT[line] ?? {},
  });
  describeAdapter(`langchain ${version} ToolNode`, nodeHarness(lab), {
    ...making,
    share: line === "newest" ? "one in three" : "one in six",
    cannot: {
      ...NODE_CANNOT[line],
      unknownTools: "ToolNode itself answers calls of tools that it does not have",
    },
  });
}

/** A conversation in which every turn is a separate run, continued from the messages of the last one. */
function agentHarness(lab: Lab): CreateHarness {
  const { langchain, messages, adapter } = lab;
  return (testCase, observers) => {
    const { tools, runs } = toolsOf(lab, testCase);
    const options = watchedOptions({ ...testCase.options, ...observers }, createContract);
    const middleware = adapter.toolContractMiddleware({ ...options, escalate: "drop-tool" });
    let history: readonly BaseMessage[] = [];
    return {
      async runTurn(turn) {
        const { model } = lab.script([toTurn(turn)]);
        const agent = langchain.createAgent({ model, tools: [...tools], middleware: [middleware] });
        if (turn.user || history.length === 0) {
          history = [...history, new messages.HumanMessage("Go on.")];
        }
        history = (await agent.invoke({ messages: [...history] })).messages;
        return turn.calls.map(({ id }) => reportOf(lab, id, history, runs));
      },
    };
  };
}

/** A conversation through LangGraph's ToolNode, as in a user's own graph. */
function nodeHarness(lab: Lab): CreateHarness {
  const { messages, prebuilt, adapter } = lab;
  return (testCase, observers) => {
    const { tools, runs } = toolsOf(lab, testCase);
    const options = { ...testCase.options, ...observers };
    const contract = watched(createContract(options));
    const node = new prebuilt.ToolNode(adapter.wrapTools(tools, { contract }));
    let history: readonly BaseMessage[] = [];
    return {
      async runTurn(turn) {
        if (turn.user || history.length === 0) {
          history = [...history, new messages.HumanMessage("Go on.")];
        }
        const message = toMessage(lab, toTurn(turn));
        history = [...history, adapter.promoteInvalidToolCalls(message, { contract })];
        const config = { configurable: { thread_id: "thread-1" } };
        const state = (await node.invoke({ messages: history }, config)) as {
          readonly messages: readonly BaseMessage[];
        };
        history = [...history, ...state.messages];
        return turn.calls.map(({ id }) => reportOf(lab, id, history, runs));
      },
    };
  };
}

function toolsOf(
  { tools }: Lab,
  testCase: ConformanceCase,
): {
  readonly tools: readonly StructuredToolInterface[];
  readonly runs: ReadonlyMap<string, unknown>;
} {
  const runs = new Map<string, unknown>();
  const calls = new Map(
    testCase.turns.flatMap((turn) => turn.calls.map((call) => [call.id, call] as const)),
  );
  const run = async (input: unknown, config: unknown): Promise<string> => {
    const { toolCall } = config as { readonly toolCall: { readonly id: string } };
    runs.set(toolCall.id, input);
    const call: { fails?: true } = calls.get(toolCall.id) ?? {};
    if (call.fails) throw new Error(outputOf(call));
    return outputOf(call);
  };
  const made = testCase.tools.map(({ name, inputSchema }) =>
    tools.tool(run, { name, description: "A tool.", schema: { ...inputSchema } as never }),
  );
  // The overloads of `tool` take JSON Schema in LangChain's own types only.
  return { tools: made as unknown as readonly StructuredToolInterface[], runs };
}

function toTurn({ calls, finishReason }: CaseTurn): Turn {
  return {
    calls: calls.map(({ id, tool, arguments: args }) => ({ id, name: tool, args })),
    ...(finishReason !== undefined && { finishReason }),
  };
}

function reportOf(
  { messages }: Lab,
  id: string,
  history: readonly BaseMessage[],
  runs: ReadonlyMap<string, unknown>,
): CallReport {
  const message = history.find(
    (one) => messages.ToolMessage.isInstance(one) && one.tool_call_id === id,
  );
  if (!messages.ToolMessage.isInstance(message)) throw new Error(`No result for call ${id}`);
  const content = typeof message.content === "string" ? message.content : "";
  return {
    id,
    outcome: parseRejection(content)?.status ?? "executed",
    content,
    isError: message.status === "error",
    ran: runs.has(id),
    input: runs.get(id),
  };
}
