import { isWhole } from "@toolcontract/case-table/whole";
import { createQueues } from "@toolcontract/session";
import { jsonSchema, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { textOf } from "../testing/describe-on.ts";
import { describeModes } from "../testing/every-sdk.ts";
import { call, rawModel, report } from "../testing/raw-model.ts";
import { runSession } from "../testing/run-session.ts";

const RUNS = isWhole ? 200 : 12;
const LIMIT = 3;

/** A signal that says how many listeners it has. */
function watched(): { readonly signal: AbortSignal; readonly listeners: () => number } {
  const { signal } = new AbortController();
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: never, options?: never): void => {
    listening.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: never): void => {
    listening.delete(listener);
    remove(type, listener);
  };
  return { signal, listeners: () => listening.size };
}

describeModes((sdk, mode) => {
  test("many runs at once share nothing but their queues, and leave nothing", async () => {
    let running = 0;
    let most = 0;
    const execute = async ({ run }: { readonly run: string }): Promise<string> => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      running -= 1;
      return `notes of ${run}`;
    };
    const read = { inputSchema: jsonSchema<{ run: string }>({ type: "object" }), execute };
    // Every run has the same ids; its question is in the request.
    const { model } = rawModel(sdk.version, (_, { prompt }) => {
      const run = /run-\d+/.exec(JSON.stringify(prompt))?.[0] ?? "none";
      const hasRead = prompt.some(({ role }) => role === "tool");
      return {
        content: hasRead
          ? [report(run)]
          : [call("c1", "read", { run }), call("c2", "read", { run })],
      };
    });
    const queues = createQueues({ files: { concurrent: LIMIT } });
    const { signal, listeners } = watched();
    const session = sdk.session.agentSession<ToolSet>({
      targets: [{ model }],
      tools: { read },
      queues,
      queueOf: { read: "files" },
      toolTimeout: 60_000,
      logger: false,
    });
    const runs = Array.from({ length: RUNS }, async (_, index) => {
      const name = `run-${index}`;
      const messages = [{ role: "user", content: name }];
      const result = await runSession(sdk, mode, session, { messages, abortSignal: signal });
      expect(result).toMatchObject({ success: true, finalReport: { content: name } });
      expect(textOf(result.conversation, "c1")).toBe(`notes of ${name}`);
      expect(textOf(result.conversation, "c2")).toBe(`notes of ${name}`);
      expect(result.accounting.map(({ type }) => type)).toEqual([
        "llm",
        "tool",
        "tool",
        "llm",
        "tool",
      ]);
    });
    await Promise.all(runs);
    expect(most).toBe(LIMIT);
    expect(queues.depth("files")).toEqual({ running: 0, waiting: 0 });
    expect(listeners()).toBe(0);
  });
});
