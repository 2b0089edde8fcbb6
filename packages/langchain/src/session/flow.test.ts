import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/both-ends.ts";
import { ask, resultsOf, rolesOf, runSession } from "../testing/run-session.ts";
import { report, sessionModel } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  args: JSON.stringify(args),
});

describe.each(LABS)("the loop of langchain $version", (lab) => {
  const { langgraph, langchain, messages: core, line } = lab;
  const always = ({ index }: { readonly index: number }) => ({
    calls: [call(`c${index}`, "read")],
  });
  const read = () => spied(lab, "read", { type: "object" }, () => "a note").tool;

  test("thirty turns fit into the recursion limit, also with nodes of other middleware", async () => {
    const quiet = { name: "quiet", beforeModel: () => undefined, afterModel: () => undefined };
    const { result, model } = await runSession(lab, {
      replies: always,
      tools: [read()],
      options: { maxTurns: 30, repeatableTools: ["read"] },
      agent: { middleware: [quiet] },
      config: { recursionLimit: 5 },
    });
    expect(model.requests).toHaveLength(30);
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ finalReport: { metadata: { reason: "max_turns_exhausted" } } });
  });

  test("a higher recursion limit stays", async () => {
    const limits: unknown[] = [];
    const { tool } = spied(lab, "read", { type: "object" }, (_, config) => {
      limits.push((config as { readonly recursionLimit?: number }).recursionLimit);
      return "a note";
    });
    const replies = [always({ index: 0 }), { text: "Ok." }];
    const run = { replies, tools: [tool], options: { maxTurns: 2 } };
    await runSession(lab, { ...run, config: { recursionLimit: 777 } });
    await runSession(lab, run);
    expect(limits[0]).toBe(777);
    expect(limits[1]).toBeLessThan(50);
  });

  test("a graph that reaches the recursion limit all the same returns what it has", async () => {
    const spin = {
      name: "spin",
      // Goes back to the model without ever asking it: no turn is counted.
      beforeModel: { hook: () => ({ jumpTo: "tools" }), canJumpTo: ["tools"] },
    };
    const { result } = await runSession(lab, {
      replies: [],
      tools: [read()],
      options: { maxTurns: 3 },
      agent: { middleware: [spin] },
      input: {
        messages: [
          new core.HumanMessage("Go."),
          new core.AIMessage({
            content: "",
            tool_calls: [{ type: "tool_call", id: "c0", name: "read", args: {} }],
          }),
        ],
      },
    });
    expect(result.success).toBe(false);
    expect(result.finalReport).toMatchObject({ status: "failure" });
    expect(result.error).toMatch(/recursion limit/i);
    expect(rolesOf(result.conversation).slice(0, 2)).toEqual(["human", "ai"]);
  });

  test("a Command of a tool is passed on, and its messages are cut to size", async () => {
    const other = new core.HumanMessage("kept as it is, however long it may be");
    const command = spied(lab, "go", { type: "object" }, (_, config) => {
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const message = new core.ToolMessage({ content: "x".repeat(50), tool_call_id: toolCall.id });
      return new langgraph.Command({ update: { messages: [message, other] } });
    });
    const { result } = await runSession(lab, {
      replies: [{ calls: [call("a", "go")] }, { calls: [report("Ok.")] }],
      tools: [command.tool],
      options: { toolResponseMaxBytes: 10 },
    });
    expect(result.conversation.slice(2, 4).map(({ content }) => content)).toEqual([
      `[TRUNCATED] Original size 50 bytes; truncated to 10 bytes.\n${"x".repeat(10)}`,
      other.content,
    ]);
    expect(result.success).toBe(true);
    expect(result.accounting[1]).toMatchObject({ command: "go", status: "ok" });
  });

  test("a Command to the graph around passes through", async () => {
    const toParent = spied(
      lab,
      "hand_over",
      { type: "object" },
      () => new langgraph.Command({ goto: "other", graph: langgraph.Command.PARENT }),
    );
    const model = sessionModel(lab, [{ calls: [call("a", "hand_over")] }]);
    const session = lab.session.agentSession({ targets: [{ model: model.model }] });
    const agent = langchain.createAgent({
      model: model.model,
      tools: [toParent.tool],
      middleware: [session.middleware],
    });
    const graph = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("agent", async (state) => agent.invoke(state as never) as never, { ends: ["other"] })
      .addNode("other", () => ({ messages: [new core.AIMessage("The other one.")] }))
      .addEdge(langgraph.START, "agent")
      .compile();
    const result = await session.run(graph, ask(lab));
    expect(result.conversation.at(-1)?.content).toBe("The other one.");
    expect(result.accounting).toMatchObject([{ type: "llm" }, { command: "hand_over" }]);
  });

  test.each([
    ["before the run", 0],
    ["in a request to a model", 1],
    ["in a tool", 2],
  ])("an abort %s ends it with what is there", async (_, moment) => {
    const controller = new AbortController();
    const stop = (): void => controller.abort(new Error("Enough."));
    if (moment === 0) stop();
    const { tool } = spied(lab, "wait", { type: "object" }, async () => {
      setTimeout(stop, 5);
      return new Promise(() => undefined);
    });
    if (moment === 1) setTimeout(stop, 20);
    const { result } = await runSession(lab, {
      replies: moment === 1 ? [{ hangs: true }] : [{ calls: [call("c1", "wait")] }],
      tools: [tool],
      options: { queues: { one: { concurrent: 1 } }, queueOf: { wait: "one" } },
      config: { signal: controller.signal },
    });
    expect(result).toMatchObject({ success: false, error: "The run was aborted: Enough." });
    expect(result.finalReport).toBeUndefined();
    const seen = { 0: ["human"], 1: ["human"], 2: ["human", "ai"] }[moment];
    expect(rolesOf(result.conversation)).toEqual(seen);
  });

  test("an abort while a request waits for a rate limit ends the wait", async () => {
    const controller = new AbortController();
    const { result } = await runSession(lab, {
      replies: () => ({ error: Object.assign(new Error("slow down"), { status: 429 }) }),
      options: {
        sleep: async (_, signal) =>
          new Promise((resolve) => {
            signal?.addEventListener("abort", () => resolve());
            controller.abort(new Error("Enough."));
          }),
      },
      config: { signal: controller.signal },
    });
    expect(result).toMatchObject({ success: false, error: "The run was aborted: Enough." });
    expect(result.accounting).toHaveLength(1);
  });

  test("errors of other middleware end the run with what is there", async () => {
    const broken = {
      name: "broken",
      beforeModel: ({ messages }: { readonly messages: readonly BaseMessage[] }) => {
        if (messages.length > 1) throw new Error("out of order");
      },
    };
    const { result } = await runSession(lab, {
      replies: always,
      tools: [read()],
      agent: { middleware: [broken] },
    });
    expect(result).toMatchObject({
      success: false,
      error: "out of order",
      finalReport: { status: "failure", metadata: { reason: "no_answer" } },
    });
    expect(rolesOf(result.conversation)).toEqual(["human", "ai", "tool"]);
  });

  test.each(["modelCallLimit", "toolCallLimit", "modelFallback", "modelRetry"])(
    "%sMiddleware is reported once, because it is outside of the limits",
    async (name) => {
      const events: unknown[] = [];
      const { result } = await runSession(lab, {
        replies: [always({ index: 0 }), { text: "Ok." }],
        tools: [read()],
        options: { onEvent: (event) => void events.push(event) },
        agent: { middleware: [{ name: `${name}Middleware` }] },
      });
      expect(result.success).toBe(true);
      expect(events.filter((event) => (event as { type: string }).type === "not-judged")).toEqual([
        {
          type: "not-judged",
          what: "middleware",
          detail: `${name}Middleware ends the run or repeats requests outside of the limits; leave it out`,
        },
        expect.objectContaining({ what: "usage" }),
      ]);
    },
  );

  test("the names of LangChain's own middleware are those that are reported", () => {
    const { model } = lab.script([]);
    const built = [
      langchain.modelCallLimitMiddleware({ runLimit: 3 } as never),
      langchain.toolCallLimitMiddleware({ runLimit: 3 } as never),
      langchain.toolCallLimitMiddleware({ toolName: "read", runLimit: 3 } as never),
      langchain.modelFallbackMiddleware(model as never),
      ...(line === "oldest" ? [] : [langchain.modelRetryMiddleware()]),
    ];
    for (const { name } of built) {
      expect(name).toMatch(/^(?:modelCallLimit|toolCallLimit|modelFallback|modelRetry)Middleware/i);
    }
  });

  test.skipIf(line === "oldest")(
    // Version 1.0 takes no structured output from an agent whose middleware wraps the model.
    "structured output in a tool's call is the report",
    async () => {
      const { z } = await import("zod");
      const responseFormat = langchain.toolStrategy(z.object({ total: z.number() }));
      const [{ name }] = responseFormat as unknown as [{ readonly name: string }];
      const { result, model } = await runSession(lab, {
        replies: [always({ index: 0 }), { calls: [call("b", name, { total: 3 })] }],
        tools: [read()],
        options: { maxToolCallsPerTurn: 1, plainText: "retry" },
        agent: { responseFormat },
      });
      expect(result.value).toMatchObject({ structuredResponse: { total: 3 } });
      expect(result).toMatchObject({
        success: true,
        finalReport: { status: "success", content: '{"total":3}' },
      });
      expect(model.requests).toHaveLength(2);
    },
  );

  test.skipIf(line === "oldest")(
    // As above.
    "structured output as text is the report, and as JSON it stays JSON",
    async () => {
      const { z } = await import("zod");
      const responseFormat = langchain.providerStrategy(z.object({ total: z.number() }));
      const { result } = await runSession(lab, {
        replies: [always({ index: 0 }), { text: '{"total":3}' }],
        tools: [read()],
        options: { expectedOutputFormat: "json", plainText: "retry" },
        agent: { responseFormat },
      });
      expect(result.value).toMatchObject({ structuredResponse: { total: 3 } });
      expect(result.finalReport).toMatchObject({ format: "json", content_json: { total: 3 } });
    },
  );

  test("the report may come beside structured output that was never given", async () => {
    if (line === "oldest") return;
    const { z } = await import("zod");
    const responseFormat = langchain.toolStrategy(z.object({ total: z.number() }));
    const { result, model } = await runSession(lab, {
      replies: [{ calls: [report("Three.")] }],
      tools: [read()],
      agent: { responseFormat },
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "Three." } });
    expect(model.requests).toHaveLength(1);
    expect(resultsOf(result.conversation)).toEqual(["ok"]);
  });

  test("input may be a command or empty, and is never a reason to throw", async () => {
    const { result } = await runSession(lab, {
      replies: [{ text: "Ok." }],
      input: { messages: [] },
    });
    expect(result).toMatchObject({ success: true });
    const odd = await runSession(lab, { replies: [{ text: "Ok." }], input: { messages: 5 } });
    expect(odd.result.success).toBe(false);
    expect(odd.result.conversation).toEqual([]);
  });

  test("the conversation begins with the system message and what the run was given", async () => {
    const { result } = await runSession(lab, {
      replies: [{ text: "Ok." }],
      agent: { systemPrompt: "Be brief." },
      input: ask(lab, "Well?"),
    });
    expect(result.conversation.map(({ content }) => content)).toMatchObject(
      line === "oldest" ? ["Be brief.", "Well?", "Ok."] : [expect.anything(), "Well?", "Ok."],
    );
    expect(result.conversation[0]?.getType()).toBe("system");
  });
});
