import { jsonSchema, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { describeVersions } from "../testing/both-ends.ts";
import { call, endOf, type RawAnswer, rawModel, text } from "../testing/raw-model.ts";
import { runSession } from "../testing/run-session.ts";
import type { Sdk } from "../testing/sdk.ts";
import type { AgentSessionOptions, SessionResult } from "./index.ts";

const tools: ToolSet = {
  read: { inputSchema: jsonSchema({ type: "object" }), execute: async () => "notes" },
};

interface Ran {
  readonly result: SessionResult<unknown>;
  readonly requests: number;
}

async function stream(
  sdk: Sdk,
  answers: Parameters<typeof rawModel>[1],
  options: Partial<AgentSessionOptions<ToolSet>> = {},
  settings: object = {},
): Promise<Ran> {
  const { model, requests } = rawModel(sdk.version, answers);
  const given = { targets: [{ model }], tools, ...options } as AgentSessionOptions<ToolSet>;
  const session = sdk.session.agentSession<ToolSet>(given);
  const result = await runSession(sdk, "streamText", session, { onError: quiet, ...settings });
  return { result, requests: requests.length };
}

function quiet(): void {
  // By default the SDK prints errors of streams.
}

/** Parts that a user sees, without an end. */
const SHOWN = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "par" },
];
const DONE: RawAnswer = { content: [text("done")] };

/** How a stream can break after it was shown, and what the run's error says about it. */
function breaks({ version }: Sdk): readonly (readonly [string, RawAnswer, string])[] {
  const cut = endOf({ finishReason: "length" }, version);
  return [
    [
      "reports an error",
      { parts: [...SHOWN, { type: "error", error: new Error("lost") }] },
      "lost",
    ],
    ["reports an error of no kind", { parts: [...SHOWN, { type: "error" }] }, "unknown error"],
    [
      "reports an error and goes on",
      { parts: [...SHOWN, { type: "error", error: "lost" }, ...SHOWN, { type: "finish", ...cut }] },
      "lost",
    ],
    ["ends without a finish", { parts: SHOWN }, "The stream ended before the answer did"],
    [
      "is cut in the middle of a call",
      {
        parts: [
          { type: "tool-input-start", id: "c", toolName: "read" },
          { type: "tool-input-delta", id: "c", delta: '{"pa' },
          { type: "finish", ...cut },
        ],
      },
      "the answer was cut off at its length limit, inside a tool call",
    ],
  ];
}

describeVersions((sdk) => {
  describe.each(breaks(sdk))("a stream that %s", (_, broken, error) => {
    test("is asked for again by version 7", async ({ skip }) => {
      skip(sdk.version !== 7, "only version 7 asks again for a step whose stream broke");
      const { result, requests } = await stream(sdk, [broken, DONE]);
      expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
      expect(result.error).toBeUndefined();
      expect(requests).toBe(2);
      expect(result.accounting).toMatchObject([{ status: "failed", error }, { status: "ok" }]);
      expect(JSON.stringify(result.conversation)).not.toContain("par");
    });

    test("ends the run in a result when no attempt is left", async () => {
      const { result, requests } = await stream(sdk, () => broken, { maxRetries: 2 });
      expect(requests).toBe(sdk.version === 7 ? 2 : 1);
      expect(result).toMatchObject({
        success: false,
        error,
        finalReport: { metadata: { reason: "attempts_exhausted" } },
      });
    });
  });

  test("a whole call that turns out to be cut is asked for again before anybody sees it", async () => {
    const broken: RawAnswer = {
      parts: [
        { type: "tool-call", toolCallId: "c", toolName: "read", input: '{"pa' },
        { type: "finish", ...endOf({ finishReason: "length" }, sdk.version) },
      ],
    };
    const { result, requests } = await stream(sdk, [broken, DONE]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
    expect(requests).toBe(2);
    expect(result.accounting).toMatchObject([
      { status: "failed", error: "the answer was cut off at its length limit, inside a tool call" },
      { status: "ok" },
    ]);
    expect(JSON.stringify(result.conversation)).not.toContain("pa");
  });

  test("a fatal error in the middle of a stream ends the run", async () => {
    const error = Object.assign(new Error("bad key"), { status: 401 });
    const broken = { parts: [...SHOWN, { type: "error", error }] };
    const { result, requests } = await stream(sdk, [broken, DONE]);
    expect(requests).toBe(1);
    expect(result).toMatchObject({ success: false, error: "bad key" });
    expect(result.finalReport).toBeUndefined();
  });

  test.each<[string, readonly unknown[]]>([
    ["before anything was shown", []],
    ["in the middle", SHOWN],
  ])("an abort ends a stream that never ends, %s", async (_, parts) => {
    const abort = new AbortController();
    const answers = (): RawAnswer => {
      setTimeout(() => abort.abort(), 20);
      return { parts, stays: true };
    };
    const { result } = await stream(sdk, answers, {}, { abortSignal: abort.signal });
    expect(result).toMatchObject({ success: false });
    expect(result.error).toMatch(/^The run was aborted/);
    expect(result.accounting).toMatchObject([{ type: "llm", status: "failed" }]);
  });

  test("an abort after the answer leaves the answer", async () => {
    const abort = new AbortController();
    const settings = { abortSignal: abort.signal, onFinish: () => abort.abort() };
    const { result } = await stream(sdk, [DONE], {}, settings);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
  });

  test("what comes after the finish is not read", async () => {
    const end = { type: "finish", ...endOf({}, sdk.version) };
    const parts = [...SHOWN, { type: "text-end", id: "0" }, end, ...SHOWN, call("c", "read")];
    const { result } = await stream(sdk, [{ parts }]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "par" } });
    expect(result.accounting).toHaveLength(1);
  });

  test("an error between two steps is the run's error", async () => {
    const prepareStep = (): never => {
      throw new Error("cannot prepare");
    };
    const { result } = await stream(sdk, [DONE], { prepareStep });
    expect(result).toMatchObject({ success: false, error: "cannot prepare" });
  });

  test("a stream that the consumer cancels or never reads is read all the same", async () => {
    const { model } = rawModel(sdk.version, [{ content: [call("c", "read")] }, DONE]);
    const session = sdk.session.agentSession({ targets: [{ model }], tools });
    const result = await session.run(async (options) => {
      const streamed = sdk.ai.streamText({ ...options, prompt: "hi" });
      await streamed.textStream.cancel("not interested");
      return streamed;
    });
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
    expect(await result.value?.text).toBe("done");
  });

  test("an answer of one huge part", async () => {
    const { result } = await stream(sdk, [{ content: [text("x".repeat(1_000_000))] }]);
    expect(result.finalReport?.content).toHaveLength(1_000_000);
  });
});
