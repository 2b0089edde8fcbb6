import { type ChildProcess, spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { createGuardrails } from "@toolcontract/guardrails";
import { afterEach, expect, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { addServer, HELLO, toolCall } from "../testing/messages.ts";
import { relayLines } from "./relay-lines.ts";

const started = new Set<ChildProcess>();
afterEach(() => {
  for (const child of started) child.kill();
  started.clear();
});

/** Calls the tool once more for each call of it, and keeps what comes of that. */
function calling(name: string, seen: unknown[]): ExecutionStage {
  return {
    name: "undo",
    lanes: { outcome: 2 },
    async around({ run, callTool }) {
      const value = await run();
      seen.push(await callTool?.(name, { a: 40, b: 2 }).catch((error: unknown) => String(error)));
      return { action: "return", value };
    },
  };
}

/** Sends messages through the relay to a server that is a process of its own, and ends the client's stream. */
async function relayed(
  guardrails: ExecutionStage,
  server: string,
  messages: readonly object[],
): Promise<readonly { readonly id?: unknown }[]> {
  const child = spawn(process.execPath, ["-e", server], { stdio: ["pipe", "pipe", "inherit"] });
  started.add(child);
  const fromClient = new PassThrough();
  const toClient = new PassThrough();
  const streams = { fromClient, toServer: child.stdin, fromServer: child.stdout, toClient };
  const done = relayLines(streams, {
    gate: createGate({ guardrails, logger: () => undefined }),
    attemptKey: "process",
    maxMessageBytes: 1_000_000,
    stopping: new AbortController().signal,
    graceMs: 20_000,
    onStopping: () => undefined,
    onDrained: () => undefined,
  });
  fromClient.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  await done;
  return String(toClient.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly id?: unknown });
}

const add = toolCall(1, "add", { a: 1, b: 2 });

test("a stage calls another tool after the client has gone, and the client sees nothing of it", async () => {
  const seen: unknown[] = [];
  const lines = await relayed(calling("add", seen), addServer(), [...HELLO, add]);
  expect(seen).toEqual([{ content: [{ type: "text", text: "42" }] }]);
  const answers = lines.filter((line) => "id" in line).map(({ id }) => id);
  expect(answers).toEqual(["hello", 1]);
  expect(lines.at(-1)).toMatchObject({ result: { content: [{ text: "3" }] } });
});

test("an error response and the end of the server reach the stage as errors", async () => {
  const refuses = `if (typeof m.id === "number") reply(m, { content: [] });
    else write(JSON.stringify({ jsonrpc: "2.0", id: m.id, error: { code: -32602, message: "no" } }));`;
  const ends = `if (typeof m.id === "number") reply(m, { content: [] }); else process.exit(0);`;
  const seen: unknown[] = [];
  await relayed(calling("add", seen), addServer({ onCall: refuses }), [...HELLO, add]);
  await relayed(calling("add", seen), addServer({ onCall: ends }), [...HELLO, add]);
  expect(seen).toEqual(["UpstreamError: no", "Error: The connection to the server is closed"]);
});

test("a call that is sent again under its key is the same call", async () => {
  const guardrails = createGuardrails({ guardrails: [], effects: { add: "irreversible" } });
  const counts = `globalThis.runs = (globalThis.runs ?? 0) + 1;
    reply(m, { content: [{ type: "text", text: "run " + globalThis.runs }] });`;
  const keyed = (id: number, key: string): object => {
    const _meta = { "dev.toolcontract/idempotencyKey": key };
    const params = { name: "add", arguments: { a: 1, b: 2 }, _meta };
    return { jsonrpc: "2.0", id, method: "tools/call", params };
  };
  const calls = [keyed(1, "k"), keyed(2, "k"), keyed(3, "l")];
  const lines = await relayed(guardrails, addServer({ onCall: counts }), [...HELLO, ...calls]);
  const textOf = (call: number): string => {
    const { id: _, ...answer } = lines.find(({ id }) => id === call) ?? {};
    return JSON.stringify(answer);
  };
  expect(textOf(1)).toContain("run 1");
  expect(textOf(2)).toBe(textOf(1));
  expect(textOf(3)).toContain("run 2");
});
