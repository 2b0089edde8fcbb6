import { describeGrants, type GrantsKit } from "@toolcontract/case-table/grants";
import { isWhole } from "@toolcontract/case-table/whole";
import { type AskRequest, type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import type { AgentMiddleware } from "langchain";
import { expect, test } from "vitest";
import { textOf } from "./messages.ts";
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
      return textOf(results[0]!);
    },
  });
}

for (const lab of isWhole ? LABS : LABS.slice(0, 1)) {
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
  expect(textOf(results[0]!)).toContain(expected);
  expect(runs).toEqual([]);
});
