import type { SessionEvent } from "@toolcontract/session";
import { describe, expect, test } from "vitest";
import { LABS } from "../testing/every-langchain.ts";
import { resultsOf, rolesOf, runSession } from "../testing/run-session.ts";
import { httpError, report, sessionModel } from "../testing/session-model.ts";
import { BAD_ORDER, spied } from "../testing/tools.ts";

const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  args: JSON.stringify(args),
});
const EMPTY =
  "System notice: plain text responses without tool calls are ignored. Use final_report to provide your answer.";
const FINAL =
  "System notice: this is the last turn. No other tool can be called anymore. Call agent__final_report now, with your final answer from what you have gathered so far.";

describe.each(LABS)("requests of a session on langchain $version", (lab) => {
  const { messages: core } = lab;
  const read = () => spied(lab, "read", { type: "object" }, () => "a note").tool;
  const statuses = (accounting: readonly { readonly type: string; readonly status: string }[]) =>
    accounting.filter(({ type }) => type === "llm").map(({ status }) => status);

  test("each target gets its own settings, and no retries of its class", async () => {
    const a = sessionModel(lab, [{ error: httpError(500) }], "pa");
    const b = sessionModel(lab, [{ text: "Ok." }], "pb");
    const { result } = await runSession(lab, {
      replies: [],
      tools: [read()],
      options: {
        targets: [
          { model: a.model, settings: { temperature: 0.2 } },
          { model: b.model, settings: { temperature: 0.9, maxRetries: 1 } },
        ],
      },
    });
    expect(result.success).toBe(true);
    expect(a.requests[0]?.options).toMatchObject({ temperature: 0.2, maxRetries: 0 });
    expect(b.requests[0]?.options).toMatchObject({ temperature: 0.9, maxRetries: 1 });
  });

  test("an empty answer is asked for again, with a notice in the next request only", async () => {
    const { result, model } = await runSession(lab, {
      replies: [{ text: "" }, { text: " \n" }, { calls: [call("c1", "read")] }, { text: "Ok." }],
      tools: [read()],
    });
    const last = model.requests.map(({ messages }) => messages.at(-1)?.content);
    expect(last).toEqual(["What is in my notes?", EMPTY, EMPTY, "a note"]);
    expect(rolesOf(result.conversation)).toEqual(["human", "ai", "tool", "ai"]);
    expect(statuses(result.accounting)).toEqual(["failed", "failed", "ok", "ok"]);
  });

  test.each(["final_report", "agent_finalReport"])(
    "a report under the name %s is the report",
    async (name) => {
      const { result } = await runSession(lab, {
        replies: [{ calls: [call("r", name, { format: "markdown", content: "done" })] }],
        tools: [read()],
      });
      expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
      expect(result.accounting[1]).toMatchObject({ command: "agent__final_report", status: "ok" });
    },
  );

  test("the last turn offers the report alone, whatever was forced, and says so in a message that is not stored", async () => {
    const forcing = {
      name: "forcing",
      wrapModelCall: async (request: object, handler: (one: object) => unknown) =>
        handler({ ...request, toolChoice: "required" }),
    };
    const model = sessionModel(lab, [
      { calls: [call("c1", "read")] },
      { text: "From what I have." },
    ]);
    const session = lab.session.agentSession({ targets: [{ model: model.model }], maxTurns: 2 });
    const agent = lab.langchain.createAgent({
      model: model.model,
      tools: [read()],
      middleware: [forcing as never, session.middleware],
    });
    const result = await session.run(agent, {
      messages: [new core.HumanMessage("Well?")],
    } as never);
    expect(model.requests.map(({ tools }) => tools)).toEqual([
      ["read", "agent__final_report"],
      ["agent__final_report"],
    ]);
    expect(model.requests.map(({ options }) => options["tool_choice"])).toEqual([
      "required",
      "auto",
    ]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: FINAL });
    expect(result).toMatchObject({
      success: true,
      finalReport: { status: "success", content: "From what I have." },
    });
    expect(JSON.stringify(result.conversation)).not.toContain("last turn");
  });

  test("the report is on offer even if other middleware leaves it out", async () => {
    const choosy = {
      name: "choosy",
      wrapModelCall: async (request: object, handler: (one: object) => unknown) =>
        handler({ ...request, tools: [] }),
    };
    const model = sessionModel(lab, [{ calls: [report("Ok.")] }]);
    const session = lab.session.agentSession({ targets: [{ model: model.model }] });
    const agent = lab.langchain.createAgent({
      model: model.model,
      tools: [read()],
      middleware: [choosy as never, session.middleware],
    });
    const result = await session.run(agent, {
      messages: [new core.HumanMessage("Well?")],
    } as never);
    expect(model.requests[0]?.tools).toEqual(["agent__final_report"]);
    expect(result.success).toBe(true);
  });

  test("after a report that is no good, the next turn is the last", async () => {
    const { result, model } = await runSession(lab, {
      replies: [
        {
          calls: [call("r1", "agent__final_report", { format: "json", content_json: { town: 1 } })],
        },
        {
          calls: [
            call("c2", "read"),
            call("r2", "agent__final_report", { content_json: { city: "Paris" } }),
          ],
        },
      ],
      tools: [read()],
      options: {
        expectedOutputFormat: "json",
        outputSchema: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
      },
    });
    expect(model.requests.map(({ tools }) => tools)).toEqual([
      ["read", "agent__final_report"],
      ["agent__final_report"],
    ]);
    expect(result).toMatchObject({
      success: true,
      finalReport: { format: "json", content_json: { city: "Paris" } },
    });
    expect(resultsOf(result.conversation)[1]).toBe(
      "(tool failed: this is the last turn; only agent__final_report can be called)",
    );
  });

  test("a report whose arguments are malformed is repaired", async () => {
    const args = '{"format": "markdown", "content": "Fine.",}';
    const { result } = await runSession(lab, {
      replies: [{ calls: [{ id: "r1", name: "agent__final_report", args }] }],
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "Fine." } });
  });

  test("reasoning alone goes on within the same model call, and stays in the conversation", async () => {
    const { result, model } = await runSession(lab, {
      replies: [
        { reasoning: "First I think." },
        { reasoning: "Then I read.", calls: [call("c1", "read")] },
        { text: "Ok." },
      ],
      tools: [read()],
      options: { maxTurns: 3 },
    });
    expect(rolesOf(model.requests[1]?.messages)).toEqual(["human", "ai"]);
    expect(model.requests[1]?.messages[1]).toMatchObject({
      additional_kwargs: { reasoning_content: "First I think." },
    });
    expect(rolesOf(result.conversation)).toEqual(["human", "ai", "tool", "ai"]);
    expect(result.conversation[1]).toMatchObject({
      additional_kwargs: { reasoning_content: "First I think.\nThen I read." },
      tool_calls: [{ id: "c1" }],
    });
    expect(model.requests[2]?.tools).toEqual(["agent__final_report"]);
  });

  test.each([
    { type: "thinking", thinking: "First I think.", signature: "s" },
    { type: "redacted_thinking", data: "encrypted" },
  ])("reasoning in content blocks is merged too: $type", async (thinking) => {
    const { result, model } = await runSession(lab, {
      replies: [{ content: [thinking] }, { text: "Ok." }],
    });
    expect(result.conversation[1]?.content).toEqual([thinking, { type: "text", text: "Ok." }]);
    expect(statuses(result.accounting)).toEqual(["ok", "ok"]);
    expect(model.requests[1]?.messages.at(-1)?.content).toEqual([thinking]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "Ok." } });
  });

  test("a tool that runs at the provider is reported once per run", async () => {
    const details: string[] = [];
    const { again } = await runSession(lab, {
      replies: [{ calls: [call("c1", "read")] }, { text: "a" }, { text: "b" }],
      tools: [read(), { type: "web_search" } as never],
      options: {
        onEvent: (event) => {
          if (event.type === "not-judged" && event.what === "provider-tool")
            details.push(event.detail);
        },
      },
    });
    const detail = "Tools that run at the provider are outside of the limits";
    expect(details).toEqual([detail]);
    await again({ messages: [new core.HumanMessage("Hi")] });
    expect(details).toEqual([detail, detail]);
  });

  test("an answer that was cut inside a call is asked for again", async () => {
    const cut = { id: "c1", name: "read", args: '{"path": "a/very/lo' };
    const { result, model } = await runSession(lab, {
      replies: [
        { calls: [cut], finishReason: "length" },
        { calls: [cut], finishReason: "max_tokens", streamed: true },
        { text: "Ok." },
      ],
      tools: [read()],
    });
    expect(statuses(result.accounting)).toEqual(["failed", "failed", "ok"]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: expect.stringMatching(/^System notice: your output was cut off/) as unknown,
    });
    expect(rolesOf(result.conversation)).toEqual(["human", "ai"]);
  });

  test("calls that the client could not read are promoted, repaired, answered and counted", async () => {
    const { tool, runs } = spied(lab, "read", {
      type: "object",
      properties: { a: { type: "number" } },
    });
    const calls = [
      { id: "c1", name: "read", args: "{a: 1}" },
      { id: "c2", name: "read", args: "no JSON at all" },
      { id: "c3", name: "read", args: '{"a": 3}' },
    ];
    const { result } = await runSession(lab, {
      replies: [{ calls }, { text: "Ok." }],
      tools: [tool],
      options: { maxToolCallsPerTurn: 2 },
    });
    expect(result.success).toBe(true);
    const results = resultsOf(result.conversation);
    expect(results).toHaveLength(3);
    expect(results.filter((one) => String(one).includes("too many tool calls"))).toHaveLength(1);
    expect(runs.length).toBeLessThan(3);
  });

  test("an invalid call keeps the contract's message, takes no place and is not an execution", async () => {
    const { tool, runs } = spied(lab);
    const { result } = await runSession(lab, {
      replies: [{ calls: [{ id: "c1", name: "create_order", args: BAD_ORDER }] }, { text: "Ok." }],
      tools: [tool],
      options: { queues: { one: { concurrent: 1 } }, queueOf: { create_order: "one" } },
    });
    expect(runs).toEqual([]);
    expect(resultsOf(result.conversation)[0]).toMatch(/^Validation failed.*\(attempt 1\/3\)/s);
    expect(result.accounting).toMatchObject([{ type: "llm" }, { type: "llm" }]);
  });

  test("a tool without attempts left is dropped, and the run still ends with a report", async () => {
    const { tool } = spied(lab);
    const bad = { name: "create_order", args: BAD_ORDER };
    const { result, model } = await runSession(lab, {
      replies: ({ index }) =>
        index < 4 ? { calls: [{ ...bad, id: `c${index}` }] } : { calls: [report("I could not.")] },
      tools: [tool, read()],
      options: { maxTurns: 9 },
    });
    expect(model.requests[3]?.tools).toEqual(["read", "agent__final_report"]);
    // After a message of nothing but blocked calls comes the last turn.
    expect(model.requests[4]?.tools).toEqual(["agent__final_report"]);
    expect(model.requests).toHaveLength(5);
    expect(result).toMatchObject({ success: true, finalReport: { content: "I could not." } });
  });

  test("an escalation that ends the run is its error", async () => {
    const { tool } = spied(lab);
    const bad = { name: "create_order", args: BAD_ORDER };
    const { result } = await runSession(lab, {
      replies: ({ index }) => ({ calls: [{ ...bad, id: `c${index}` }] }),
      tools: [tool],
      options: { escalate: "end", maxAttempts: 2 },
    });
    expect(result).toMatchObject({ success: false, finalReport: { status: "failure" } });
    expect(result.error).toMatch(/^Tool 'create_order' validation failed after 2 attempts/);
    const thrown = await runSession(lab, {
      replies: ({ index }) => ({ calls: [{ ...bad, id: `c${index}` }] }),
      tools: [tool],
      options: { escalate: "throw", maxAttempts: 2 },
    });
    expect(thrown.result.error).toMatch(/Tool 'create_order' is blocked after attempt 2$/);
    expect(thrown.result.success).toBe(false);
  });

  test.each([
    [{ input_tokens: "many" }],
    [{ input_tokens: Number.NaN, output_tokens: -1 }],
    ["nonsense"],
    [null],
  ])("usage of %j does no harm", async (usage) => {
    const model = sessionModel(lab, [{ calls: [call("c1", "read")] }, { text: "Ok." }]);
    const generate = model.model._generate.bind(model.model);
    model.model._generate = async (...given) => {
      const answer = await generate(...given);
      for (const { message } of answer.generations)
        Object.assign(message, { usage_metadata: usage });
      return answer;
    };
    const { result } = await runSession(lab, {
      replies: [],
      tools: [read()],
      options: { targets: [{ model: model.model, contextWindow: 100_000 }] },
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "Ok." } });
    expect(result.accounting[0]).toMatchObject({ tokens: { inputTokens: 0, outputTokens: 0 } });
  });

  test("tokens are counted in every request, and a window that is full forces the last turn", async () => {
    const events: SessionEvent[] = [];
    const { result, model } = await runSession(lab, {
      replies: ({ index }) => ({ calls: [call(`c${index}`, "read")], usage: [1_000, 10] }),
      tools: [spied(lab, "read", { type: "object" }, () => "word ".repeat(5_000)).tool],
      target: { contextWindow: 3_000, contextWindowBufferTokens: 0 },
      options: { onEvent: (event) => void events.push(event) },
    });
    expect(resultsOf(result.conversation)[0]).toBe("(tool failed: context window budget exceeded)");
    expect(model.requests[1]?.tools).toEqual(["agent__final_report"]);
    expect(result).toMatchObject({
      success: false,
      finalReport: { metadata: { reason: "context_window_exceeded" } },
    });
    const [first, second] = events.filter((event) => event.type === "llm-request");
    expect(first).toMatchObject({ ctxTokens: 0 });
    expect(first?.expectedTokens).toBe(Number(first?.newTokens) + Number(first?.schemaTokens));
    expect(second).toMatchObject({ ctxTokens: 1_010, forcedFinalTurnReason: "context" });
    expect(Number(second?.schemaTokens)).toBeLessThan(Number(first?.schemaTokens));
  });
});
