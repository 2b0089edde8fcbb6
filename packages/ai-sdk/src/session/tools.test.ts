import { createQueues } from "@toolcontract/session";
import { jsonSchema, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { describeModes, describeVersions } from "../testing/both-ends.ts";
import { outputOf } from "../testing/describe-on.ts";
import { call, rawModel, text } from "../testing/raw-model.ts";
import { runSession } from "../testing/run-session.ts";
import type { AgentSessionOptions } from "./index.ts";

type Tool = ToolSet[string];

const inputSchema = jsonSchema({ type: "object" });

function toolOf(execute: unknown, more: object = {}): Tool {
  return { inputSchema, execute, ...more } as Tool;
}

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

/** Tools that an application may have, what the model reads of them, and their entry. */
const TOOLS: readonly (readonly [string, Tool, object, object])[] = [
  [
    "throws nothing",
    toolOf(async () => Promise.reject<unknown>(undefined)),
    { type: "error-text", value: "(tool failed: the tool failed)" },
    { status: "failed", error: "unknown error" },
  ],
  ["returns nothing", toolOf(() => undefined), { type: "json", value: null }, { status: "ok" }],
  [
    "returns what is not JSON",
    toolOf(() => ({ count: 1n })),
    { type: "error-text", value: expect.stringMatching(/^\(tool failed: .*BigInt/) },
    { status: "failed" },
  ],
  [
    "returns a circle",
    toolOf(() => cycle),
    { type: "error-text", value: expect.stringMatching(/^\(tool failed: .*circular/) },
    { status: "failed" },
  ],
  [
    "cannot be shown",
    toolOf(() => "x", {
      toModelOutput: () => {
        throw new Error("no view");
      },
    }),
    { type: "error-text", value: "(tool failed: no view)" },
    { status: "failed", error: "no view" },
  ],
  [
    "is shown later",
    toolOf(() => "x", { toModelOutput: async () => ({ type: "text", value: "shown" }) }),
    { type: "text", value: "shown" },
    { status: "ok", charactersOut: 5 },
  ],
  [
    "shows a failure",
    toolOf(() => "x", { toModelOutput: () => ({ type: "error-text", value: "no such file" }) }),
    { type: "error-text", value: "no such file" },
    { status: "failed", error: "no such file" },
  ],
  [
    "streams results",
    toolOf(async function* () {
      yield "one";
      yield "two";
    }),
    { type: "text", value: "two" },
    { status: "ok" },
  ],
  [
    "returns a stream of results",
    toolOf(() =>
      (async function* () {
        yield "one";
        yield "two";
      })(),
    ),
    { type: "text", value: "two" },
    { status: "ok" },
  ],
];

describeModes((sdk, mode) => {
  test.each(TOOLS)("a tool that %s", async (_, tool, output, entry) => {
    const { model } = rawModel(sdk.version, [
      { content: [call("c", "do")] },
      { content: [text("done")] },
    ]);
    const session = sdk.session.agentSession<ToolSet>({
      targets: [{ model }],
      tools: { do: tool },
    });
    const result = await runSession(sdk, mode, session);
    expect(result).toMatchObject({ success: true, finalReport: { content: "done" } });
    expect(outputOf(result.conversation, "c")).toEqual(output);
    expect(result.accounting).toMatchObject([
      { type: "llm" },
      { command: "do", ...entry },
      { type: "llm" },
    ]);
  });

  test("calls with the id of an earlier one have their own limits and entries", async () => {
    const texts = ["x".repeat(50), "short"];
    const { model } = rawModel(sdk.version, [
      { content: [call("c", "do")] },
      { content: [call("c", "do")] },
      { content: [text("done")] },
    ]);
    const session = sdk.session.agentSession<ToolSet>({
      targets: [{ model }],
      tools: { do: toolOf(() => texts.shift()) },
      toolResponseMaxBytes: 10,
    });
    const { accounting } = await runSession(sdk, mode, session);
    const outputs = accounting.flatMap((entry) =>
      entry.type === "tool" ? [entry.charactersOut] : [],
    );
    expect(outputs).toEqual([
      "[TRUNCATED] Original size 50 bytes; truncated to 10 bytes.\n".length + 10,
      5,
    ]);
  });

  test("a tool that an abort ends has an entry", async () => {
    const abort = new AbortController();
    const hang = async (): Promise<never> => {
      abort.abort();
      return new Promise(() => undefined);
    };
    const { model } = rawModel(sdk.version, [{ content: [call("c", "do")] }]);
    const session = sdk.session.agentSession<ToolSet>({
      targets: [{ model }],
      tools: { do: toolOf(hang) },
    });
    const result = await runSession(sdk, mode, session, { abortSignal: abort.signal });
    expect(result.success).toBe(false);
    expect(result.error).toMatch(/^The run was aborted/);
    expect(result.accounting).toMatchObject([
      { type: "llm", status: "ok" },
      { command: "do", status: "failed", error: expect.stringContaining("aborted") },
    ]);
  });
});

describeVersions((sdk) => {
  test("images of a result stay, its texts are cut together", async () => {
    const image = { type: "media", data: "AAAA", mediaType: "image/png" };
    const parts = [{ type: "text", text: "x".repeat(8) }, image, { type: "text", text: "yyyy" }];
    const { model } = rawModel(sdk.version, [{ content: [call("c", "do")] }]);
    const session = sdk.session.agentSession<ToolSet>({
      targets: [{ model }],
      tools: {
        do: toolOf(() => "x", { toModelOutput: () => ({ type: "content", value: parts }) }),
      },
      toolResponseMaxBytes: 10,
    });
    const { conversation } = await runSession(sdk, "generateText", session);
    expect(outputOf(conversation, "c")?.value).toMatchObject([
      { text: `[TRUNCATED] Original size 12 bytes; truncated to 10 bytes.\n${"x".repeat(8)}` },
      {},
      { text: "yy" },
    ]);
  });

  test("a tool that runs a session of its own, in the same queue", async () => {
    const options = {
      queues: createQueues({ browser: { concurrent: 1 } }),
      queueOf: { do: "browser" },
    } satisfies Partial<AgentSessionOptions<ToolSet>>;
    const inner = rawModel(sdk.version, [
      { content: [call("c", "do")] },
      { content: [text("inner")] },
    ]);
    const nested = sdk.session.agentSession<ToolSet>({
      targets: [{ model: inner.model }],
      tools: { do: toolOf(() => "page") },
      trace: { agentId: "inner" },
      ...options,
    });
    const outer = rawModel(sdk.version, [
      { content: [call("c", "do")] },
      { content: [text("outer")] },
    ]);
    const entries: unknown[] = [];
    const execute = async (): Promise<unknown> => {
      const result = await runSession(sdk, "streamText", nested);
      entries.push(...result.accounting);
      return result.finalReport?.content;
    };
    const session = sdk.session.agentSession<ToolSet>({
      targets: [{ model: outer.model }],
      tools: { do: toolOf(execute) },
      trace: { agentId: "outer", txnId: "t1" },
      ...options,
    });
    const result = await runSession(sdk, "streamText", session);
    expect(outputOf(result.conversation, "c")?.value).toBe("inner");
    expect(result.accounting).toMatchObject([{}, { command: "do", callPath: "outer" }, {}]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ callPath: "outer:inner", parentTxnId: "t1" });
    }
  });
});
