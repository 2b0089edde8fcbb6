import type { BaseMessage } from "@langchain/core/messages";
import type { MemorySaver } from "@langchain/langgraph";
import {
  describeReplays,
  type Payment,
  type PaymentMessage,
  type ReplayKit,
} from "@toolcontract/case-table/replays";
import {
  type AskRequest,
  type Contract,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { createGuardrails, currentAttempt, memoryLedger } from "@toolcontract/guardrails";
import type { AgentMiddleware } from "langchain";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { toMessage, type Turn } from "./testing/scripted-model.ts";
import { spied } from "./testing/tools.ts";

type Tool = ReturnType<typeof spied>["tool"];

/** What a process runs: a graph whose node `tools` runs the calls. */
interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
  getStateHistory(config: object): AsyncIterable<Snapshot>;
}

interface Snapshot {
  readonly next: readonly string[];
  readonly config: object;
}

interface State {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly { readonly id?: string; readonly value: unknown }[];
}

interface GraphParts {
  readonly lab: Lab;
  readonly contract: Contract;
  readonly tool: Tool;
  readonly turns: readonly Turn[];
  readonly user: string | undefined;
  /** Keeps the thread of a conversation that has a name. */
  readonly checkpointer: MemorySaver | undefined;
}

const agentOn =
  (version: "v1" | "v2") =>
  ({ lab, contract, tool, turns, user, checkpointer }: GraphParts): Graph => {
    const middleware = lab.adapter.toolContractMiddleware({
      contract,
      context: user === undefined ? {} : { user },
      ask: "interrupt",
    });
    const agent = lab.langchain.createAgent({
      model: lab.script(turns).model,
      tools: [tool],
      middleware: [middleware as AgentMiddleware<undefined, undefined>],
      version,
      ...(checkpointer && { checkpointer }),
    });
    return agent;
  };

/** The hosts: what runs a message's calls, and whether one node runs all of them. */
const HOSTS: Readonly<Record<string, (parts: GraphParts) => Graph>> = {
  "createAgent v2": agentOn("v2"),
  "createAgent v1": agentOn("v1"),
  ToolNode: ({ lab, contract, tool, turns, user, checkpointer }) => {
    const { END, MessagesAnnotation, START, StateGraph, interrupt } = lab.langgraph;
    const context = user === undefined ? {} : { user };
    const tools = lab.adapter.wrapTools([tool], { contract, context, ask: interrupt });
    const left = turns.values();
    const model = async (): Promise<unknown> => ({
      messages: [toMessage(lab, left.next().value ?? { text: "Done." })],
    });
    const hasCalls = ({ messages }: State): string => {
      const { tool_calls } = messages.at(-1) as InstanceType<Lab["messages"]["AIMessage"]>;
      return tool_calls?.length ? "tools" : END;
    };
    return new StateGraph(MessagesAnnotation)
      .addNode("model", model as never)
      .addNode("tools", new lab.prebuilt.ToolNode(tools as never) as never)
      .addEdge(START, "model")
      .addConditionalEdges("model", hasCalls as never)
      .addEdge("tools", "model")
      .compile(checkpointer ? { checkpointer } : {});
  },
};

for (const lab of LABS) {
  for (const [name, graphOf] of Object.entries(HOSTS)) {
    describeReplays(`langchain ${lab.version}, ${name},`, {
      createContract,
      createGuardrails: createGuardrails as never,
      createLedger: memoryLedger,
      createRecords: createMemoryStore,
      asks: "guardrail",
      createHost: hostOf(lab, graphOf),
      cannot: { grants: "a run that waits has a thread, and that names its conversation" },
    });
  }
}

function hostOf(
  lab: Lab,
  graphOf: (parts: GraphParts) => Graph,
): ReplayKit<Contract, AskRequest>["createHost"] {
  const { langgraph, messages } = lab;
  return (pay) => {
    const checkpointer = new langgraph.MemorySaver();
    const { tool } = spied(lab, "pay", { type: "object" }, (input) =>
      pay(input as Payment, {
        key: currentAttempt().idempotencyKey,
        pause: () => langgraph.interrupt("sure?"),
      }),
    );
    /** From where each message's calls run, to go back to. */
    const before = new Map<string, object>();
    return {
      async send(message, { contract, answer }) {
        const { name, conversation, user, payments } = message;
        const key = JSON.stringify([conversation, user, name]);
        const graph = graphOf({
          lab,
          contract,
          tool,
          user,
          turns: before.has(key) ? [] : [turnOf(message)],
          checkpointer: conversation === undefined ? undefined : checkpointer,
        });
        const config =
          conversation === undefined ? {} : { configurable: { thread_id: conversation } };
        const input = { messages: [new messages.HumanMessage("Pay.")] };
        const from = before.get(key);
        let state = (await (from
          ? graph.invoke(null, from)
          : graph.invoke(input, config))) as State;
        if (conversation !== undefined && !from) {
          for await (const snapshot of graph.getStateHistory(config)) {
            if (!snapshot.next.includes("tools")) continue;
            before.set(key, snapshot.config);
            break;
          }
        }
        for (let asked = state.__interrupt__ ?? []; asked.length > 0;) {
          const resume: Record<string, unknown> = {};
          for (const { id = "", value } of asked) resume[id] = await replyTo(value, answer);
          const [only] = Object.values(resume);
          const command = new langgraph.Command({ resume: asked.length > 1 ? resume : only });
          state = (await graph.invoke(command, config)) as State;
          asked = state.__interrupt__ ?? [];
        }
        const texts = state.messages
          .filter((one) => messages.ToolMessage.isInstance(one))
          .map(textOfMessage);
        return texts.slice(-payments.length);
      },
    };
  };
}

/** The message as the model writes it. */
function turnOf({ name, conversation, user, payments }: PaymentMessage): Turn {
  // A node of LangGraph that runs all calls of a message leaves out those whose ids were answered before in the thread.
  const prefix = conversation === undefined ? "call" : `${user} ${name}`;
  return {
    calls: payments.map((payment, index) => ({
      id: `${prefix}_${index}`,
      name: "pay",
      args: JSON.stringify(payment),
    })),
  };
}

/** What an interrupted run is resumed with. */
async function replyTo(
  value: unknown,
  answer: (request: AskRequest) => Promise<string | undefined>,
): Promise<unknown> {
  if (value === "sure?") return true;
  const { request } = value as { readonly request: AskRequest };
  return { grant: await answer(request) };
}
