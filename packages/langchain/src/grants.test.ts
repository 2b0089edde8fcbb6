import { describeGrants, type GrantsKit } from "@toolcontract/case-table/grants";
import { type AskRequest, type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import type { AgentMiddleware } from "langchain";
import { expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import type { Lab } from "./testing/langchain.ts";
import { toRan } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

interface Paused {
  readonly __interrupt__?: readonly { readonly value: unknown }[];
}

function hostOf(lab: Lab): GrantsKit<Contract, AskRequest>["createHost"] {
  const { adapter, langchain, langgraph, messages } = lab;
  return (run) => ({
    async call({ id, name, arguments: args, user, conversationId }, open, answer) {
      const checkpointer = new langgraph.MemorySaver();
      const script = lab.script([{ calls: [{ id, name, args: JSON.stringify(args) }] }]);
      const tools = ["pay", "refund"].map((tool) =>
        lab.tools.tool(async (input: unknown) => run(tool, input), {
          name: tool,
          description: tool,
          schema: { type: "object" },
        }),
      );
      const agentOf = () =>
        langchain.createAgent({
          model: script.model,
          tools,
          middleware: [
            adapter.toolContractMiddleware({
              contract: open(),
              context: { user },
              ask: "interrupt",
            }) as AgentMiddleware<undefined, undefined>,
          ],
          checkpointer,
        });
      const config = { configurable: { thread_id: conversationId } };
      let state: unknown = await agentOf().invoke(
        { messages: [new messages.HumanMessage("Pay.")] },
        config,
      );
      const [asked] = (state as Paused).__interrupt__ ?? [];
      if (asked) {
        const { type, request } = asked.value as { type: string; request: AskRequest };
        expect(type).toBe("toolcontract.ask");
        const resume = { grant: await answer(request) };
        state = await agentOf().invoke(new langgraph.Command({ resume }), config);
      }
      const { results } = toRan(lab, state as Readonly<Record<string, unknown>>, script);
      return textOfMessage(results[0]!);
    },
  });
}

for (const lab of LABS) {
  describeGrants(`langchain ${lab.version}`, {
    createContract,
    createGuardrails,
    createStore: memoryLedger,
    createHost: hostOf(lab),
  });
}

test.each([
  ["a text of the person is what the model reads", "Not today.", "Not today."],
  ["anything else leaves the answer", { approved: true }, "a person must agree first"],
])("%s", async (_, resume, expected) => {
  const lab = LABS[0]!;
  const { langchain, langgraph, messages, adapter } = lab;
  const guardrails = createGuardrails({
    guardrails: [{ name: "large", check: () => ({ ask: "large" }) }],
  });
  const { tool, runs } = spied(lab, "pay", { type: "object" });
  const script = lab.script([{ calls: [{ id: "c", name: "pay", args: "{}" }] }]);
  const middleware = adapter.toolContractMiddleware({
    guardrails,
    logger: false,
    ask: "interrupt",
  });
  const agent = langchain.createAgent({
    model: script.model,
    tools: [tool],
    middleware: [middleware as AgentMiddleware<undefined, undefined>],
    checkpointer: new langgraph.MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };
  await agent.invoke({ messages: [new messages.HumanMessage("Pay.")] }, config);
  const state: unknown = await agent.invoke(new langgraph.Command({ resume }), config);
  const { results } = toRan(lab, state as Readonly<Record<string, unknown>>, script);
  expect(textOfMessage(results[0]!)).toContain(expected);
  expect(runs).toEqual([]);
});

test("a wrapped tool in a graph asks by the interrupt that it is given, and runs with the grant alone", async () => {
  const lab = LABS[0]!;
  const { langgraph, messages, prebuilt, adapter } = lab;
  const guardrails = createGuardrails({
    grants: { secret: "s" },
    guardrails: [{ name: "large", check: ({ args }) => args.amount > 10 && { ask: "large" } }],
  });
  const { tool, runs } = spied(lab, "pay", { type: "object" }, () => "paid");
  const { interrupt } = langgraph;
  const tools = adapter.wrapTools([tool], { guardrails, logger: false, ask: interrupt });
  const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
    .addNode("tools", new prebuilt.ToolNode(tools as never) as never)
    .addEdge(langgraph.START, "tools")
    .compile({ checkpointer: new langgraph.MemorySaver() });
  let serial = 0;
  const ask = async (thread: string) => {
    const config = { configurable: { thread_id: thread } };
    const id = `call_${(serial += 1)}`;
    const calls = [{ id, name: "pay", args: { amount: 20 }, type: "tool_call" as const }];
    const sent = new messages.AIMessage({ content: "", tool_calls: calls });
    const paused = (await graph.invoke({ messages: [sent] }, config)) as Paused;
    const value = paused.__interrupt__?.[0]?.value as { type: string; request: AskRequest };
    expect(value.type).toBe("toolcontract.ask");
    const resume = async (reply: unknown): Promise<string> => {
      const command = new langgraph.Command({ resume: reply });
      const state = (await graph.invoke(command as never, config)) as {
        readonly messages: readonly { readonly content: unknown }[];
      };
      return String(state.messages.at(-1)?.content);
    };
    return { request: value.request, resume };
  };
  const first = await ask("1");
  const grant = await guardrails.grant(first.request, { by: "o", expiresIn: 60_000 });
  expect(await first.resume({ grant })).toBe("paid");
  expect(await (await ask("1")).resume({ grant })).toContain("a person must agree first");
  expect(await (await ask("2")).resume({ grant })).toContain("a person must agree first");
  expect(await (await ask("3")).resume({ grant: `${grant}x` })).toContain("must agree first");
  expect(await (await ask("4")).resume("Not today.")).toBe("Not today.");
  expect(runs).toEqual([{ amount: 20 }]);
});
