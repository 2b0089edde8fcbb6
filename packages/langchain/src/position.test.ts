import { createContract } from "@toolcontract/core";
import type { AgentMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import { toRan } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const SKIPPED = "(tool failed: too many tool calls in one turn; limit is 1)";

describe.each(LABS)("maxCallsPerTurn on langchain $version", (lab) => {
  const { adapter, langchain, langgraph, messages, prebuilt } = lab;
  const callsOf = (ids: readonly string[], amounts: readonly number[]) =>
    ids.map((id, index) => ({
      id,
      name: "pay",
      args: { amount: amounts[index] },
      type: "tool_call" as const,
    }));

  describe.each([
    ["ids of their own", ["c0", "c1", "c2"]],
    ["one id", ["c0", "c0", "c0"]],
    ["empty ids", ["", "", ""]],
  ])("three calls with %s", (_, ids) => {
    test.each([
      ["other arguments", [1, 2, 3]],
      ["equal arguments", [1, 1, 1]],
    ])("and %s: ToolNode runs one", async (__, amounts) => {
      const { tool, runs } = spied(lab, "pay", { type: "object" }, () => "paid");
      const contract = createContract({ maxCallsPerTurn: 1, logger: false });
      const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
        .addNode(
          "tools",
          new prebuilt.ToolNode(adapter.wrapTools([tool], { contract }) as never) as never,
        )
        .addEdge(langgraph.START, "tools")
        .compile();
      const sent = new messages.AIMessage({ content: "", tool_calls: callsOf(ids, amounts) });
      const state = (await graph.invoke({ messages: [sent] })) as {
        readonly messages: readonly { readonly content: unknown }[];
      };
      expect(state.messages.slice(1).map(({ content }) => content)).toEqual([
        "paid",
        SKIPPED,
        SKIPPED,
      ]);
      expect(runs).toEqual([{ amount: 1 }]);
    });

    test.each([
      ["other arguments", [1, 2, 3]],
      ["equal arguments", [1, 1, 1]],
    ])("and %s: an agent runs one", async (__, amounts) => {
      const { tool, runs } = spied(lab, "pay", { type: "object" }, () => "paid");
      const contract = createContract({ maxCallsPerTurn: 1, logger: false });
      const calls = callsOf(ids, amounts).map(({ id, name, args }) => ({
        id,
        name,
        args: JSON.stringify(args),
      }));
      const script = lab.script([{ calls }]);
      const agent = langchain.createAgent({
        model: script.model,
        tools: [tool],
        middleware: [
          adapter.toolContractMiddleware({ contract }) as AgentMiddleware<undefined, undefined>,
        ],
      });
      const state: unknown = await agent.invoke({ messages: [new messages.HumanMessage("Pay.")] });
      const { results } = toRan(lab, state as Readonly<Record<string, unknown>>, script);
      expect(results.map(textOfMessage).toSorted()).toEqual([SKIPPED, SKIPPED, "paid"]);
      expect(runs).toHaveLength(1);
    });
  });
});
