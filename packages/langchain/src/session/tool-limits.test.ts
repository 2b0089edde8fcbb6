import type { ToolMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { createGuardrails, Outcome } from "@toolcontract/guardrails";
import { LABS } from "../testing/every-langchain.ts";
import { resultsOf, runSession } from "../testing/run-session.ts";
import { report } from "../testing/session-model.ts";
import { spied } from "../testing/tools.ts";

const call = (id: string, name: string, args: object = {}) => ({
  id,
  name,
  args: JSON.stringify(args),
});
const cut = (size: number, limit: number) =>
  `[TRUNCATED] Original size ${size} bytes; truncated to ${limit} bytes.\n`;

describe.each(LABS)("tools in a session on langchain $version", (lab) => {
  const { messages: core, langchain, line } = lab;
  const once = (name = "look") => [{ calls: [call("c1", name)] }, { calls: [report("Ok.")] }];
  const resultOf = (messages: readonly unknown[]) =>
    messages.find((one) => core.ToolMessage.isInstance(one)) as ToolMessage;

  test("a text is cut on a character, and the artifact keeps the whole", async () => {
    const { tool } = spied(lab, "look", { type: "object" }, () => "é€😀".repeat(400));
    const { result, model } = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolResponseMaxBytes: 10 },
    });
    const message = resultOf(result.conversation);
    expect(message.content).toBe(`${cut(3_600, 10)}é€😀`);
    expect(message.artifact).toBe("é€😀".repeat(400));
    expect(JSON.stringify(model.requests[1]?.messages.at(-1)?.content)).not.toContain("é€😀é");
    expect(result.accounting[1]).toMatchObject({
      status: "ok",
      charactersOut: `${cut(3_600, 10)}é€😀`.length,
    });
  });

  test("an image stays beside a text that is cut, and so does a tool's own artifact", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const { tool } = spied(lab, "look", { type: "object" }, (_, config) => {
      const { toolCall } = config as { readonly toolCall: { readonly id: string } };
      const content = [
        { type: "text", text: "x".repeat(50) },
        image,
        { type: "text", text: "end" },
      ];
      return new core.ToolMessage({
        content,
        tool_call_id: toolCall.id,
        artifact: { own: 1 },
      });
    });
    const { result } = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolResponseMaxBytes: 10 },
    });
    const { content, artifact } = resultOf(result.conversation);
    expect(content).toMatchObject([
      { type: "text", text: `${cut(53, 10)}${"x".repeat(10)}` },
      image,
      { type: "text", text: "" },
    ]);
    expect(artifact).toEqual({ own: 1 });
  });

  test("a result that fits is passed on as it is", async () => {
    const own = { content: "fine", tool_call_id: "c1", artifact: { own: 1 } };
    const { tool } = spied(lab, "look", { type: "object" }, () => new core.ToolMessage(own));
    const { result } = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolResponseMaxBytes: 10 },
    });
    expect(resultOf(result.conversation)).toMatchObject(own);
  });

  test.each([
    ["an error", new Error("DB down"), "(tool failed: DB down)"],
    ["a string", "busy", "(tool failed: busy)"],
    ["nothing", undefined, undefined],
    [
      "a secret",
      new Error("no access with password=hunter2"),
      "(tool failed: no access with password=[redacted])",
    ],
  ])("a tool that throws %s has failed", async (_, thrown, text) => {
    const { tool } = spied(lab, "look", { type: "object" }, () => {
      throw thrown as Error;
    });
    const { result } = await runSession(lab, { replies: once(), tools: [tool] });
    const message = resultOf(result.conversation);
    if (text === undefined) expect(message.content).toMatch(/^\(tool failed: .+\)$/);
    else expect(message.content).toBe(text);
    expect(message.status).toBe("error");
    expect(result.accounting[1]).toMatchObject({ command: "look", status: "failed" });
    expect(result.success).toBe(true);
  });

  test("a tool that says itself that it failed keeps its words, cut to size, and is accounted as failed", async () => {
    const { tool } = spied(lab, "look", { type: "object" }, () => {
      const content = "no such file: ".repeat(5);
      return new core.ToolMessage({ content, tool_call_id: "c1", status: "error" });
    });
    const { result } = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolResponseMaxBytes: 13 },
    });
    expect(resultOf(result.conversation)).toMatchObject({
      content: `${cut(70, 13)}no such file:`,
      status: "error",
    });
    expect(result.accounting[1]).toMatchObject({ status: "failed" });
  });

  test("toolErrors writes its own words, or lets the error end the run", async () => {
    const { tool } = spied(lab, "look", { type: "object" }, () => {
      throw new Error("DB down");
    });
    const written = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolErrors: (error, { toolCall }) => `${toolCall.name}: ${String(error)}` },
    });
    expect(resultOf(written.result.conversation).content).toBe("look: Error: DB down");
    expect(written.result.accounting[1]).toMatchObject({ status: "failed", error: "DB down" });
    const { result } = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolErrors: "throw" },
    });
    expect(result.success).toBe(false);
    expect(result.error).toContain("DB down");
    expect(result.accounting[1]).toMatchObject({ command: "look", status: "failed" });
  });

  test("a tool that takes too long is given up, and gets the signal", async () => {
    let signal: AbortSignal | undefined;
    const { tool } = spied(lab, "look", { type: "object" }, (_, config) => {
      ({ signal } = config as { readonly signal?: AbortSignal });
      return new Promise(() => undefined);
    });
    const quick = spied(lab, "quick", { type: "object" }, () => "done").tool;
    const events: unknown[] = [];
    const { result } = await runSession(lab, {
      replies: [{ calls: [call("c1", "look"), call("c2", "quick")] }, { calls: [report("Ok.")] }],
      tools: [tool, quick],
      options: {
        toolTimeout: (name) => (name === "look" ? 30 : undefined),
        onEvent: (event) => void events.push(event),
      },
    });
    expect(resultsOf(result.conversation)).toEqual(["(tool failed: timeout)", "done", "ok"]);
    expect(events).toContainEqual({ type: "tool-timeout", tool: "look", limit: 30 });
    // Version 1.0 runs the agent's own tool, whatever a hook passes on.
    expect(signal?.aborted ?? false).toBe(line !== "oldest");
  });

  test("a limit for one tool only, and one that is nonsense", async () => {
    const { tool } = spied(lab, "look", { type: "object" }, () => new Promise(() => undefined));
    const { result } = await runSession(lab, {
      replies: once(),
      tools: [tool],
      options: { toolTimeout: (name) => (name === "look" ? 20 : undefined) },
    });
    expect(resultsOf(result.conversation)).toEqual(["(tool failed: timeout)", "ok"]);
    await expect(
      runSession(lab, { replies: once(), tools: [tool], options: { toolTimeout: () => -1 } }),
    ).rejects.toThrow("agentSession: toolTimeout('look') returned -1");
  });

  test("an unknown tool keeps the contract's message and is not an execution", async () => {
    const { tool } = spied(lab, "look", { type: "object" }, () => "seen");
    const run = runSession(lab, { replies: once("loook"), tools: [tool] });
    const { result } = await run;
    if (line === "oldest") {
      // Version 1.0 throws for an unknown tool before any hook.
      expect(result).toMatchObject({ success: false, error: 'Tool "loook" not found.' });
      return;
    }
    expect(resultsOf(result.conversation)[0]).toContain("VAL-012");
    expect(result.accounting).toMatchObject([
      { type: "llm" },
      { type: "llm" },
      { command: "agent__final_report" },
    ]);
  });

  test("no tool starts after a result was dropped, and those under way may finish", async () => {
    const late = spied(lab, "late", { type: "object" }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return "late";
    });
    const flood = spied(lab, "flood", { type: "object" }, () => "word ".repeat(5_000));
    const queued = spied(lab, "queued", { type: "object" }, () => "never");
    const events: unknown[] = [];
    const { result, model } = await runSession(lab, {
      replies: [
        { calls: [call("c1", "late"), call("c2", "flood"), call("c3", "queued")], usage: [50, 5] },
        { calls: [call("c4", "late"), report("What I have.")], usage: [90, 5] },
      ],
      tools: [late.tool, flood.tool, queued.tool],
      target: { contextWindow: 3_000, contextWindowBufferTokens: 0 },
      options: {
        queues: { one: { concurrent: 1 } },
        queueOf: { late: "one", queued: "one" },
        onEvent: (event) => void events.push(event),
      },
    });
    const exceeded = "(tool failed: context window budget exceeded)";
    expect(resultsOf(result.conversation)).toEqual(["late", exceeded, exceeded, exceeded, "ok"]);
    expect(queued.runs).toEqual([]);
    expect(late.runs).toHaveLength(1);
    expect(model.requests[1]?.tools).toEqual(["agent__final_report"]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "What I have." } });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "context-exceeded",
        guard: "tool_preflight",
        tool: "flood",
        blocked: [{ provider: "scripted", model: "scripted-model" }],
      }),
    );
    const dropped = result.accounting.find(
      (entry) => entry.type === "tool" && entry.command === "flood",
    );
    expect(dropped).toMatchObject({
      status: "failed",
      error: "context window budget exceeded",
      estimatedTokens: expect.any(Number) as unknown,
      replacementTokens: expect.any(Number) as unknown,
    });
    const artifact: unknown = result.conversation
      .filter((one) => core.ToolMessage.isInstance(one))
      .map((one) => (one as ToolMessage).artifact as unknown)[1];
    expect(artifact).toBe("word ".repeat(5_000));
  });

  test("guardrails judge what ran, within the limits", async () => {
    const { tool, runs } = spied(lab, "look", { type: "object" }, (input) => {
      const { page } = input as { readonly page: number };
      return page === 1 ? "x".repeat(60) : Outcome.error("closed", "the library is closed");
    });
    const guardrails = createGuardrails({
      guardrails: [
        {
          name: "few_pages",
          tools: ["look"],
          check: ({ args }) => Number(args["page"]) > 50 && { message: "above the limit" },
        },
      ],
    });
    const pages = [1, 2, 99].map((page) => call(`c${page}`, "look", { page }));
    const { result } = await runSession(lab, {
      replies: [{ calls: pages }, { calls: [report("Ok.")] }],
      tools: [tool],
      options: { guardrails, toolTimeout: 1_000, toolResponseMaxBytes: 50 },
    });
    const [first, second, third] = resultsOf(result.conversation);
    expect(first).toBe(`${cut(60, 50)}${"x".repeat(50)}`);
    expect(second).toContain("the library is closed");
    expect(third).toContain("above the limit");
    expect(runs).toHaveLength(2);
    expect(result.accounting.map((entry) => entry.type === "tool" && entry.status)).toEqual([
      false,
      "ok",
      "failed",
      false,
      "ok",
    ]);
  });

  test.skipIf(line === "oldest")(
    // Version 1.0 has no retries of tools that leave validation to other middleware.
    "a tool that other middleware runs again is one execution in one place",
    async () => {
      let failures = 0;
      const { tool, runs } = spied(lab, "look", { type: "object" }, () => {
        failures += 1;
        if (failures === 1) throw new Error("busy");
        return "seen";
      });
      const retry = langchain.toolRetryMiddleware({
        maxRetries: 2,
        initialDelayMs: 1,
        jitter: false,
      });
      const { result } = await runSession(lab, {
        replies: once(),
        tools: [tool],
        options: { queues: { one: { concurrent: 1 } }, queueOf: { look: "one" } },
        agent: { middleware: [retry] },
      });
      expect(runs).toHaveLength(2);
      expect(resultsOf(result.conversation)).toEqual(["seen", "ok"]);
      expect(result.accounting.filter(({ type }) => type === "tool")).toHaveLength(2);
    },
  );
});
