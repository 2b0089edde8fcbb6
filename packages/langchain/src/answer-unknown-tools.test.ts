import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { attemptOf } from "./testing/read-messages.ts";
import { GOOD_ORDER, spied } from "./testing/tools.ts";

const quiet = { logger: () => undefined };
const call = (name: string, id: string, args = GOOD_ORDER) => {
  return { type: "tool_call" as const, id, name, args: JSON.parse(args) as object };
};

describe.each(LABS)("calls of unknown tools in a graph of langchain $version", (lab) => {
  const { adapter, messages, prebuilt, langgraph } = lab;

  function nodeOf(options: object = quiet) {
    const { tool, runs } = spied(lab);
    const tools = adapter.wrapTools([tool], options);
    return {
      runs,
      node: adapter.answerUnknownTools(new prebuilt.ToolNode(tools as never), options),
    };
  }
  const asked = (...calls: readonly ReturnType<typeof call>[]) =>
    new messages.AIMessage({ content: "", tool_calls: [...calls] });

  test("the model reads the name that was meant, and the others run", async () => {
    const { node, runs } = nodeOf();
    const state = { messages: [asked(call("create_ordr", "a"), call("create_order", "b"))] };
    const { messages: answers } = (await node(state)) as { messages: readonly BaseMessage[] };
    expect(answers.map((answer) => [(answer as never)["tool_call_id"], attemptOf(answer)])).toEqual(
      [
        ["a", "1/3"],
        ["b", undefined],
      ],
    );
    expect(answers[0]).toMatchObject({ status: "error" });
    expect(answers[0]?.content).toContain('use "create_order"');
    expect(runs).toHaveLength(1);
  });

  test.each([
    ["an array of messages", (given: readonly BaseMessage[]) => given],
    [
      "a state with more in it",
      (given: readonly BaseMessage[]) => ({ messages: given, user: "u" }),
    ],
  ])("reads %s, and answers in kind", async (_, stateOf) => {
    const { node } = nodeOf();
    const result: unknown = await node(stateOf([asked(call("create_ordr", "a"))]));
    const answers = Array.isArray(result) ? result : (result as { messages: unknown[] }).messages;
    expect(answers).toHaveLength(1);
  });

  test("a model that numbers its calls anew in each message: every call is judged, and the valid one runs", async () => {
    const { node, runs } = nodeOf();
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("tools", node as never)
      .addEdge(langgraph.START, "tools")
      .compile();
    let given: readonly BaseMessage[] = [];
    const seen: unknown[] = [];
    for (const args of ["{}", "{}", GOOD_ORDER]) {
      given = [...given, asked(call("create_order", "call_0", args))];
      given = (await graph.invoke({ messages: [...given] })).messages;
      const answer = given.at(-1)!;
      seen.push([(answer as never)["tool_call_id"], attemptOf(answer) !== undefined]);
    }
    expect(seen).toEqual([
      ["call_0", true],
      ["call_0", true],
      ["call_0", false],
    ]);
    expect(runs).toHaveLength(1);
  });

  test("in a graph, the attempts are counted from its messages", async () => {
    const { node, runs } = nodeOf();
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("tools", node as never)
      .addEdge(langgraph.START, "tools")
      .compile();
    let given: readonly BaseMessage[] = [new messages.HumanMessage("Go.")];
    const attempts: unknown[] = [];
    for (const id of ["a", "b", "c"]) {
      const state = { messages: [...given, asked(call("create_ordr", id))] };
      ({ messages: given } = await graph.invoke(state));
      attempts.push(attemptOf(given.at(-1)!));
    }
    expect(attempts).toEqual(["1/3", "2/3", "3/3"]);
    expect(runs).toEqual([]);
  });

  test("a message whose tools are all known goes to the node as it is", async () => {
    const state = { messages: [asked(call("create_order", "b"))] };
    const seen: unknown[] = [];
    const node = {
      tools: [{ name: "create_order" }],
      invoke: async (given: unknown) => seen.push(given),
    };
    await adapter.answerUnknownTools(node, quiet)(state);
    expect(seen).toEqual([state]);
    expect(seen[0]).toBe(state);
  });

  test.each([undefined, {}, []])("anything but such a node throws at once: %j", (node) => {
    expect(() => adapter.answerUnknownTools(node as never)).toThrow(
      "answerUnknownTools: pass the node that runs the tools",
    );
  });
});
