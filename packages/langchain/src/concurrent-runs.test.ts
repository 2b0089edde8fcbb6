import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, spied } from "./testing/tools.ts";

const call = (args: string, id: string, name = "create_order") => ({ id, name, args });
const order = (args: string, id: string) => ({ calls: [call(args, id)] });

describe.each(LABS)("runs that share one middleware on langchain $version", (lab) => {
  const { langchain, langgraph, messages, line } = lab;

  // LangChain 1.0 throws before any middleware runs.
  test.skipIf(line === "oldest")("a run never reads the names of another run's tools", async () => {
    const contract = contractOf(lab);
    const other = {
      turns: [{ text: "Hello." }],
      tools: [spied(lab, "tool_of_another_tenant").tool],
      agent: { middleware: [contract] },
    };
    const interleaved = {
      name: "interleaved",
      wrapModelCall: async (request: never, next: (one: never) => Promise<unknown>) => {
        const reply = await next(request);
        await runAgent(lab, other);
        return reply;
      },
    };
    const { results } = await runAgent(lab, {
      turns: [{ calls: [call("{", "a", "nope")] }],
      tools: [spied(lab).tool],
      agent: { middleware: [interleaved, contract] },
    });
    expect(textOfMessage(results[0]!)).toContain("VAL-011");
    expect(textOfMessage(results[0]!)).not.toContain("tool_of_another_tenant");
  });

  test("concurrent runs with equal call ids are counted separately", async () => {
    const contract = contractOf(lab);
    const runs = [0, 1, 2, 3].map(async (bad) => {
      const turns = [...Array.from({ length: bad }, () => order(BAD_ORDER, "same")), { text: "." }];
      const agent = { middleware: [contract] };
      const { results } = await runAgent(lab, { turns, tools: [spied(lab).tool], agent });
      return attemptsOf(results);
    });
    const all = ["1/3", "2/3", "3/3"];
    expect(await Promise.all(runs)).toEqual([[], all.slice(0, 1), all.slice(0, 2), all]);
  });

  test("interrupt: a fork that corrects the call runs it instead of asking again", async () => {
    const { tool, runs } = spied(lab);
    const script = lab.script([order(BAD_ORDER, "a")]);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [tool],
      checkpointer: new langgraph.MemorySaver(),
      middleware: [contractOf(lab, { maxAttempts: 1, escalate: "interrupt" })],
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke({ messages: [new messages.HumanMessage("Go.")] }, config);
    const asked = await agent.graph.getState(config);
    const { id } = (asked.values as { readonly messages: readonly AIMessage[] }).messages.at(-1)!;
    const tool_calls = [
      { ...call("", "a"), args: JSON.parse(GOOD_ORDER) as object, type: "tool_call" as const },
    ];
    const corrected: BaseMessage = new messages.AIMessage({
      content: "",
      tool_calls,
      ...(id !== undefined && { id }),
    });
    const update = { messages: [corrected] };
    const fork = await agent.graph.updateState(asked.config, update, "model_request");
    const state = await agent.graph.invoke(null, fork);
    expect(toRan(lab, state as never, script).results[0]?.content).toBe("done");
    expect(runs).toEqual([JSON.parse(GOOD_ORDER)]);
  });
});
