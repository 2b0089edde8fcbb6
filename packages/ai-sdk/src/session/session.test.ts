import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { AgentSession, SessionResult } from "./index.ts";
import { describeModes } from "../testing/every-sdk.ts";
import type { Mode, Sdk } from "../testing/sdk.ts";
import type { ScriptedTurn } from "../testing/scripted-model.ts";

const QUESTION = { role: "user", content: "What is in my notes?" } as const;

const REPORT: ScriptedTurn = {
  calls: [
    {
      id: "r1",
      name: "agent__final_report",
      input: JSON.stringify({ format: "markdown", content: "Two notes." }),
    },
  ],
};

describeModes((sdk, mode) => {
  test("a run with a tool and a report", async () => {
    const a = sdk.script([{ calls: [{ id: "c1", name: "read", input: '{"path":"a"}' }] }, REPORT]);
    const session = sdk.session.agentSession({ targets: [{ model: a.model }], tools, maxTurns: 8 });
    const result = await runIn(sdk, mode, session);
    expect(result).toMatchObject({
      success: true,
      finalReport: { status: "success", format: "markdown", content: "Two notes." },
    });
    expect(result.error).toBeUndefined();
    expect(result.conversation.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
    expect(result.accounting).toMatchObject([
      { type: "llm", provider: "scripted", model: "scripted", status: "ok" },
      { type: "tool", mcpServer: "local", command: "read", status: "ok" },
      { type: "llm", status: "ok" },
      { type: "tool", command: "agent__final_report", status: "ok" },
    ]);
  });

  test("a model that always calls a tool gets its turns and no more", async () => {
    const a = sdk.script((index) => ({
      calls: [{ id: `c${index}`, name: "read", input: '{"path":"a"}' }],
    }));
    const session = sdk.session.agentSession({ targets: [{ model: a.model }], tools, maxTurns: 3 });
    const result = await runIn(sdk, mode, session);
    expect(a.requests).toHaveLength(3);
    expect(a.requests[2]?.tools?.map(({ name }) => name)).toEqual(["agent__final_report"]);
    expect(result).toMatchObject({
      success: false,
      finalReport: { status: "failure", metadata: { reason: "max_turns_exhausted" } },
    });
    expect(result.conversation.filter(({ role }) => role === "assistant")).toHaveLength(3);
  });

  test("providers take turns, and a fatal error ends the run at once", async () => {
    const a = sdk.script(
      [
        { error: { status: 429, message: "status 429" } },
        { error: { status: 429, message: "status 429" } },
      ],
      { provider: "pa" },
    );
    const b = sdk.script([{ error: { status: 500, message: "status 500" } }, { text: "done" }], {
      provider: "pb",
    });
    const sleeps: number[] = [];
    const session = sdk.session.agentSession({
      targets: [{ model: a.model }, { model: b.model }],
      tools,
      maxRetries: 4,
      clock: () => 0,
      sleep: async (ms: number) => {
        sleeps.push(ms);
      },
    });
    const result = await runIn(sdk, mode, session);
    expect(
      result.accounting.map((entry) => entry.type === "llm" && `${entry.provider}:${entry.status}`),
    ).toEqual(["pa:failed", "pb:failed", "pa:failed", "pb:ok"]);
    expect(sleeps).toEqual([1000]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });

    const c = sdk.script([{ error: { status: 401, message: "status 401" } }]);
    const fatal = sdk.session.agentSession({
      targets: [{ model: c.model }, { model: b.model }],
      tools,
    });
    const failed = await runIn(sdk, mode, fatal);
    expect(failed.success).toBe(false);
    expect(failed.error).toContain("401");
    expect(failed.finalReport).toBeUndefined();
    expect(failed.accounting).toHaveLength(1);
  });

  test("calls over the cap are answered, and slow tools are given up", async () => {
    const a = sdk.script([
      {
        calls: [
          { id: "c1", name: "read", input: '{"path":"a"}' },
          { id: "c2", name: "slow", input: "{}" },
          { id: "c3", name: "read", input: '{"path":"b"}' },
          { id: "c4", name: "read", input: '{"nothing":"b"}' },
        ],
      },
      REPORT,
    ]);
    const session = sdk.session.agentSession({
      targets: [{ model: a.model }],
      tools,
      maxToolCallsPerTurn: 2,
      toolTimeout: (name) => (name === "slow" ? 50 : undefined),
    });
    const result = await runIn(sdk, mode, session);
    expect(result.success).toBe(true);
    const texts = JSON.stringify(a.requests[1]?.prompt);
    expect(texts).toContain("read a");
    expect(texts).toContain("(tool failed: timeout)");
    expect(texts.split("(tool failed: too many tool calls in one turn; limit is 2)")).toHaveLength(
      3,
    );
    expect(result.accounting).toMatchObject([
      { type: "llm" },
      { command: "read", status: "ok" },
      { command: "slow", status: "failed", error: "timeout" },
      { type: "llm" },
      { command: "agent__final_report" },
    ]);
  });
});

const tools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `read ${path}`,
  }),
  slow: tool({
    description: "Never ends.",
    inputSchema: z.object({}),
    execute: async () => new Promise<string>(() => undefined),
  }),
};

type Session = AgentSession<typeof tools>;

async function runIn(sdk: Sdk, mode: Mode, session: Session): Promise<SessionResult<unknown>> {
  const { ai } = sdk;
  const messages = [QUESTION];
  if (mode === "generateText") {
    return session.run(async (options) => ai.generateText({ ...options, messages }));
  }
  if (mode === "streamText") {
    return session.run((options) => ai.streamText({ ...options, messages, onError: quiet }));
  }
  const { Experimental_Agent: Agent } = ai;
  return session.run(async (options) => {
    const agent = new Agent(options);
    return mode === "agent" ? agent.generate({ messages }) : agent.stream({ messages });
  });
}

function quiet(): void {
  // By default the SDK prints errors of streams.
}
