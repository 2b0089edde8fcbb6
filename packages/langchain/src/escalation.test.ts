import { type Escalation, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { textOfMessage } from "./messages.ts";
import { LABS } from "./testing/every-langchain.ts";
import { attemptsOf } from "./testing/read-messages.ts";
import { contractOf, runAgent, toRan } from "./testing/run-agent.ts";
import { BAD_ORDER, GOOD_ORDER, spied } from "./testing/tools.ts";

const order = (args: string, id: string) => ({ calls: [{ id, name: "create_order", args }] });
const BAD = ["a", "b", "c", "d", "e"].map((id) => order(BAD_ORDER, id));

describe.each(LABS)("escalation on langchain $version", (lab) => {
  const { langchain, langgraph, messages, adapter } = lab;
  const human = (): InstanceType<typeof messages.HumanMessage> => new messages.HumanMessage("Go.");

  test("end: a typed message ends the run, and the escalation is in the final state", async () => {
    const seen: Escalation[] = [];
    const { state, messages: left } = await runAgent(lab, {
      turns: BAD,
      tools: [spied(lab).tool],
      options: { onEscalation: (escalation) => seen.push(escalation) },
    });
    expect(left.at(-1)?.response_metadata).toMatchObject({
      toolcontract: { formatVersion: "1.2", status: "blocked" },
    });
    const escalation = adapter.escalationOf(state as never);
    expect(escalation).toMatchObject({
      status: "blocked",
      toolName: "create_order",
      attempts: 3,
      history: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }],
    });
    expect(escalation?.toolCall.arguments).toEqual(JSON.parse(BAD_ORDER));
    expect(JSON.stringify(left.at(-1))).not.toContain("sk-secret-123");
    expect(JSON.stringify(escalation)).not.toContain("sk-secret-123");
    expect(seen).toHaveLength(1);
    expect(adapter.escalationOf(left.slice(-1))).toEqual(escalation);
    expect(adapter.escalationOf([...left, human()])).toBeUndefined();
  });

  test("the arguments are those of the call that was blocked, if others have its id", async () => {
    const same = { id: "0", name: "create_order" };
    const { messages: left } = await runAgent(lab, {
      turns: ["1", "2", "3"].map((email) => order(`{"customer_email":"${email}"}`, "0")),
      tools: [spied(lab).tool],
    });
    const before = new messages.AIMessage({
      content: "",
      tool_calls: [{ ...same, name: "look", args: {} }],
    });
    const after = new messages.AIMessage({ content: "", tool_calls: [{ ...same, args: {} }] });
    const history = [before, ...left.slice(0, -1), after];
    expect(adapter.escalationOf(history)?.toolCall.arguments).toEqual({ customer_email: "3" });
  });

  test("drop-tool: the model no longer sees the tool", async () => {
    const other = spied(lab, "look", { type: "object" });
    const { script, last } = await runAgent(lab, {
      turns: BAD.slice(0, 3),
      tools: [spied(lab).tool, other.tool],
      options: { escalate: "drop-tool" },
    });
    expect(script.shown.map((names) => names.length)).toEqual([2, 2, 2, 1]);
    expect(script.shown.at(-1)).toEqual(["look"]);
    expect(last).toBe("Done.");
  });

  // The oldest version throws before any middleware is asked about an unknown tool.
  test.skipIf(lab.line === "oldest")(
    "drop-tool: failures under a name that was meant close the tool",
    async () => {
      const other = spied(lab, "look", { type: "object" });
      const named = (id: string, name: string) => ({ calls: [{ id, name, args: BAD_ORDER }] });
      const { script, last } = await runAgent(lab, {
        turns: [
          named("a", "create_order<|channel|>commentary"),
          named("b", "create_order"),
          named("c", "functions.create_order"),
        ],
        tools: [spied(lab).tool, other.tool],
        options: { escalate: "drop-tool" },
      });
      expect(script.shown.at(-2)).toEqual(["create_order", "look"]);
      expect(script.shown.at(-1)).toEqual(["look"]);
      expect(last).toBe("Done.");
    },
  );

  test.each([
    ["OpenAI's", { type: "function", function: { name: "create_order" } }, "auto"],
    ["Anthropic's", { type: "tool", name: "create_order" }, "auto"],
    ["a bare name", "create_order", "auto"],
    ["another tool's", { type: "tool", name: "look" }, { type: "tool", name: "look" }],
    ["one that names no tool", { type: "auto" }, { type: "auto" }],
    ["any tool's", "required", "required"],
    ["none", null, undefined],
  ])("drop-tool: a choice that forces the tool is lifted (%s)", async (_, forced, lifted) => {
    const forcing = {
      name: "forcing",
      wrapModelCall: async (request: object, next: (one: object) => unknown) =>
        next({ ...request, toolChoice: forced }),
    };
    const { script } = await runAgent(lab, {
      turns: BAD.slice(0, 3),
      tools: [spied(lab).tool, spied(lab, "look", { type: "object" }).tool],
      agent: { middleware: [forcing, contractOf(lab, { escalate: "drop-tool" })] },
    });
    const before = forced ?? undefined;
    expect(script.choices).toEqual([before, before, before, lifted]);
  });

  test.each([
    ["the only tool", [], "create_order"],
    ["one of two", [spied(lab, "look", { type: "object" }).tool], "look"],
  ])(
    "drop-tool: a model that never learns gets one turn for words: %s is blocked",
    async (_, others, left) => {
      for (const text of [undefined, "Sorry."]) {
        const ran = await runAgent(lab, {
          turns: Array.from({ length: 12 }, (__, at) => {
            const [turn] = BAD;
            const calls = (turn?.calls ?? []).map((call) => ({ ...call, id: `c${at}` }));
            return { ...(text !== undefined && { text }), calls };
          }),
          tools: [spied(lab).tool, ...others],
          options: { escalate: "drop-tool" },
        });
        expect(ran.script.shown.slice(3)).toEqual([[left], [left]]);
        expect(ran.script.choices).toEqual([undefined, undefined, undefined, undefined, "none"]);
        // Without words of its own, it says what people are told.
        expect(ran.last).toMatch(text ?? /validation failed after 3 attempts/);
        expect(ran.messages.at(-1)).toMatchObject({ tool_calls: [] });
      }
    },
  );

  test("throw: a run that goes on after the model was stopped throws again, unasked", async () => {
    const before = await runAgent(lab, {
      turns: BAD,
      tools: [spied(lab).tool],
      options: { escalate: "drop-tool" },
    });
    const script = lab.script(BAD);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [spied(lab).tool],
      middleware: [contractOf(lab, { escalate: "throw" })],
    });
    const goesOn = agent.invoke({ messages: before.messages.slice(0, -1) });
    await expect(goesOn).rejects.toThrow("Tool 'create_order' is blocked");
    expect(script.requests).toEqual([]);
  });

  const resumed = [
    ["corrected arguments run", { args: JSON.parse(GOOD_ORDER) as object }, "done", 1],
    ["the model reads a string", "Leave it.", "Leave it.", 0],
    ["anything else leaves the answer as it is", true, "Validation failed", 0],
  ] as const;
  test.each(resumed)("interrupt: a person is asked, and %s", async (_, resume, answer, count) => {
    const { tool, runs } = spied(lab);
    const logged: string[] = [];
    const script = lab.script(BAD.slice(0, 2));
    const agent = langchain.createAgent({
      model: script.model,
      tools: [tool],
      checkpointer: new langgraph.MemorySaver(),
      middleware: [
        contractOf(lab, {
          maxAttempts: 2,
          escalate: "interrupt",
          logger: (_fields, message) => logged.push(message),
        }),
      ],
    });
    const config = { configurable: { thread_id: "1" } };
    const asked = await agent.invoke({ messages: [human()] }, config);
    expect(JSON.stringify(asked)).toContain("toolcontract.escalation");
    expect(script.requests).toHaveLength(2);
    const state = await agent.invoke(new langgraph.Command({ resume }), config);
    const { results, last } = toRan(lab, state, script);
    expect(textOfMessage(results[1]!).slice(0, answer.length)).toBe(answer);
    expect(runs).toHaveLength(count);
    expect(last).toBe("Done.");
    // Only once, although the graph ran the call twice.
    expect(logged.filter((message) => message.includes("blocked"))).toHaveLength(1);
  });

  test.each([
    ["thread", ["1/3", "2/3", "3/3"]],
    ["run", ["1/3", "2/3", "1/3"]],
  ] as const)("a checkpointer keeps the count in scope %s", async (scope, expected) => {
    const script = lab.script([BAD[0]!, BAD[1]!, { text: "I give up." }, BAD[2]!]);
    const checkpointer = new langgraph.MemorySaver();
    // A new agent for every run, as after a restart.
    const agent = (): ReturnType<typeof langchain.createAgent> =>
      langchain.createAgent({
        model: script.model,
        tools: [spied(lab).tool],
        checkpointer,
        middleware: [contractOf(lab, { scope })],
      }) as never;
    const config = { configurable: { thread_id: "1" } };
    await agent().invoke({ messages: [human()] }, config);
    const state = await agent().invoke({ messages: [human()] }, config);
    const { results } = toRan(lab, state, script);
    expect(attemptsOf(results)).toEqual(expected);
  });

  test("an agent inside a graph counts its own messages", async () => {
    const script = lab.script(BAD);
    const agent = langchain.createAgent({
      model: script.model,
      tools: [spied(lab).tool],
      middleware: [contractOf(lab)],
    });
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("agent", async (state) => agent.invoke(state as never) as never)
      .addEdge(langgraph.START, "agent")
      .compile({ checkpointer: new langgraph.MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const state = await graph.invoke({ messages: [human()] }, config);
    expect(script.requests).toHaveLength(3);
    expect(adapter.escalationOf(state)?.attempts).toBe(3);
  });

  test("one contract serves several agents, and its settings hold", async () => {
    const contract = createContract({ maxAttempts: 2, logger: () => undefined });
    const { script } = await runAgent(lab, {
      turns: BAD,
      tools: [spied(lab).tool],
      options: { contract },
    });
    expect(script.requests).toHaveLength(2);
    expect(contract.metrics()).toMatchObject({ blocked: 1, rejected: 1 });
  });

  test("toolErrors: the returned string, or the error itself", async () => {
    const failing = spied(lab, "look", { type: "object" }, () => {
      throw new Error("DB down");
    });
    const run = {
      turns: [{ calls: [{ id: "a", name: "look", args: "{}" }] }],
      tools: [failing.tool],
    };
    const answered = await runAgent(lab, {
      ...run,
      options: { toolErrors: (error, { toolCall }) => `${toolCall.name}: ${String(error)}` },
    });
    expect(answered.results[0]).toMatchObject({ content: "look: Error: DB down", status: "error" });
    const thrown = runAgent(lab, { ...run, options: { toolErrors: "throw" } });
    await expect(thrown).rejects.toThrow("DB down");
  });

  test("toolErrors: what a framework steers its run by is never answered", async () => {
    const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/" });
    const redirecting = spied(lab, "look", { type: "object" }, () => {
      throw redirect;
    });
    const turns = [{ calls: [{ id: "a", name: "look", args: "{}" }] }];
    const thrown = runAgent(lab, { turns, tools: [redirecting.tool] });
    await expect(thrown).rejects.toThrow("NEXT_REDIRECT");
  });
});
