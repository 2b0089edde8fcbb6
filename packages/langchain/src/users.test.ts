import type { StructuredToolInterface } from "@langchain/core/tools";
import { describeUsers, type PayCall, type UsersKit } from "@toolcontract/case-table/users";
import { type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, currentAttempt, type Guardrails } from "@toolcontract/guardrails";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { toMessage } from "./testing/scripted-model.ts";
import { spied } from "./testing/tools.ts";

type CreateHost = UsersKit<Contract, Guardrails>["createHost"];
type Run = (next: () => Promise<readonly PayCall[]>) => Promise<unknown>;

const SCHEMA = { type: "object", properties: { amount: { type: "integer" } } } as const;
const made = (calls: readonly PayCall[]) => ({
  calls: calls.map(({ id, name, arguments: args }) => ({ id, name, args })),
  ...(calls.length === 0 && { text: "Done." }),
});

/** The ways to run the tool, each shared by all users. */
const HOSTS: Readonly<
  Record<string, (lab: Lab, contract: Contract, tool: StructuredToolInterface) => Run>
> = {
  "createAgent v2": (lab, contract, tool) => agentOf(lab, contract, tool, "v2"),
  "createAgent v1": (lab, contract, tool) => agentOf(lab, contract, tool, "v1"),
  "createAgent, streamed": (lab, contract, tool) => {
    const middleware = [lab.adapter.toolContractMiddleware({ contract })];
    return async (next) => {
      const { model } = lab.script(async () => made(await next()));
      const agent = lab.langchain.createAgent({ model, tools: [tool], middleware });
      for await (const _ of await agent.stream(
        { messages: HELLO(lab) },
        { streamMode: "updates" },
      ));
    };
  },
  ToolNode: (lab, contract, tool) => {
    const node = new lab.prebuilt.ToolNode(lab.adapter.wrapTools([tool], { contract }));
    return graphOf(lab, node);
  },
  "a node of its own": (lab, contract, tool) => {
    const [wrapped] = lab.adapter.wrapTools([tool], { contract });
    return graphOf(lab, async ({ messages }: State) => {
      const { tool_calls: calls = [] } = messages.at(-1) as InstanceType<
        Lab["messages"]["AIMessage"]
      >;
      const call = async (one: (typeof calls)[number]): Promise<unknown> =>
        wrapped.invoke({ ...one, type: "tool_call" } as never).catch(
          (thrown: unknown) =>
            new lab.messages.ToolMessage({
              status: "error",
              tool_call_id: one.id ?? "",
              content: String(thrown),
            }),
        );
      return { messages: await Promise.all(calls.map(call)) };
    });
  },
};

// The version between the oldest and the newest runs the table in the two hosts that differ most.
const IN_BETWEEN: ReadonlySet<string> = new Set(["createAgent v2", "ToolNode"]);

for (const lab of LABS) {
  for (const [name, hostOf] of Object.entries(HOSTS)) {
    if (lab.line === "middle" && !IN_BETWEEN.has(name)) continue;
    const createHost: CreateHost = (contract, pay) => ({
      run: hostOf(lab, contract, spied(lab, "pay", SCHEMA, pay).tool),
    });
    const kit = { createContract, createGuardrails, currentAttempt, createHost };
    describeUsers(`langchain ${lab.version}, ${name},`, kit);
  }
}

interface State {
  readonly messages: readonly InstanceType<Lab["messages"]["BaseMessage"]>[];
}

function HELLO({ messages }: Lab) {
  return [new messages.HumanMessage("Pay Bob.")];
}

function agentOf(
  lab: Lab,
  contract: Contract,
  tool: StructuredToolInterface,
  version: "v1" | "v2",
): Run {
  const middleware = [lab.adapter.toolContractMiddleware({ contract })];
  return async (next) => {
    const { model } = lab.script(async () => made(await next()));
    const agent = lab.langchain.createAgent({ model, tools: [tool], middleware, version });
    await agent.invoke({ messages: HELLO(lab) });
  };
}

function graphOf(lab: Lab, tools: unknown): Run {
  const { END, MessagesAnnotation, START, StateGraph } = lab.langgraph;
  return async (next) => {
    const model = async (): Promise<unknown> => ({
      messages: [toMessage(lab, made(await next()))],
    });
    const hasCalls = ({ messages }: State): string => {
      const { tool_calls } = messages.at(-1) as InstanceType<Lab["messages"]["AIMessage"]>;
      return tool_calls?.length ? "tools" : END;
    };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", model as never)
      .addNode("tools", tools as never)
      .addEdge(START, "model")
      .addConditionalEdges("model", hasCalls as never)
      .addEdge("tools", "model");
    await graph.compile().invoke({ messages: HELLO(lab) });
  };
}
