import { PassThrough } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { Link, Ruling } from "../gate/index.ts";
import { toolCall } from "../testing/messages.ts";
import type { Message } from "../wire/index.ts";
import { deferredGate, type RelayGate } from "./deferred-gate.ts";
import { relayLines } from "./relay-lines.ts";

const CALL = `${JSON.stringify(toolCall(1, "add", {}))}\n`;
const UNASKED = `${JSON.stringify({ ...toolCall(1, "add", {}), id: undefined })}\n`;
const RESULT = '{"id":1,"result":1.0}\n';
const ANSWER: Message = { jsonrpc: "2.0", id: 1, result: "ours" };
const ANSWER_LINE = `${JSON.stringify(ANSWER)}\n`;

interface Relay {
  readonly fromClient: PassThrough;
  readonly toServer: PassThrough;
  readonly fromServer: PassThrough;
  readonly toClient: PassThrough;
  readonly done: Promise<void>;
  /** The streams' bytes so far. */
  readonly sent: () => { readonly server: string; readonly client: string };
}

function start(gate: Partial<RelayGate>, maxMessageBytes = 1_000, isRead = true): Relay {
  const [fromClient, toServer, fromServer, toClient] = [16, 16, 16, 16].map(
    (highWaterMark) => new PassThrough({ highWaterMark }),
  ) as [PassThrough, PassThrough, PassThrough, PassThrough];
  const sent = { server: "", client: "" };
  if (isRead) {
    toServer.on("data", (chunk: Buffer) => (sent.server += chunk.toString()));
    toClient.on("data", (chunk: Buffer) => (sent.client += chunk.toString()));
  }
  const done = relayLines(
    { fromClient, toServer, fromServer, toClient },
    {
      gate: {
        fromClient: () => ({ kind: "forward" }),
        fromServer: () => undefined,
        passOrRefuse: () => ({ kind: "forward" }),
        passUnread: () => undefined,
        awaits: () => false,
        lost: () => undefined,
        closed: () => undefined,
        ...gate,
      },
      attemptKey: "test",
      maxMessageBytes,
      stopping: new AbortController().signal,
      graceMs: 1_000,
      onStopping: () => undefined,
      onDrained: () => undefined,
    },
  );
  return { fromClient, toServer, fromServer, toClient, done, sent: () => sent };
}

test("an answer waits until the line on its way to the client has ended", async () => {
  const relay = start({ fromClient: () => ({ kind: "answer", message: ANSWER }) }, 100);
  relay.fromServer.write("y".repeat(150));
  await tick();
  relay.fromClient.write(CALL);
  await tick();
  expect(relay.sent().client).toBe("y".repeat(150));
  relay.fromServer.write("y\n{}\n");
  await tick();
  expect(relay.sent().client).toBe(`${"y".repeat(151)}\n${ANSWER_LINE}{}\n`);
});

test("the gate's own list waits until the line on its way to the server has ended", async () => {
  let listed: Promise<unknown> | undefined;
  const ask = async (message: Message, link: Link): Promise<Ruling> => {
    // Until the next line has begun.
    await tick();
    listed = link.listTools({}, message);
    await listed;
    return { kind: "drop" };
  };
  const relay = start({ fromClient: ask }, 100);
  relay.fromClient.write(`${CALL}${"x".repeat(150)}`);
  await tick();
  await tick();
  expect(relay.sent().server).toBe("x".repeat(150));
  relay.fromClient.write("x\n");
  await tick();
  const [long, list = "{}"] = relay.sent().server.trim().split("\n");
  expect(long).toBe("x".repeat(151));
  const { id } = JSON.parse(list) as { readonly id: string };
  relay.fromServer.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } })}\n`);
  expect(await listed).toEqual({ tools: [] });
  expect(relay.sent().client).toBe("");
});

test("unanswered requests of the gate are rejected when the server is gone", async () => {
  let listed: Promise<unknown> | undefined;
  const relay = start({
    fromClient: (message, link) => {
      listed = link.listTools({}, message);
      return { kind: "forward" };
    },
  });
  relay.fromClient.write(CALL);
  await tick();
  relay.fromServer.end();
  await relay.done;
  await expect(listed).rejects.toThrow("closed");
});

test("a message that the gate rewrites is replaced; the rest stays unchanged", async () => {
  const relay = start({
    awaits: () => true,
    fromServer: async (message) => (message["id"] === 1 ? ANSWER : undefined),
  });
  relay.fromServer.end('{"id":1,"result":1.0}\n{"id":2,"result":1.0}\nnoise');
  await relay.done;
  expect(relay.sent().client).toContain(ANSWER_LINE);
  expect(relay.sent().client).toContain('{"id":2,"result":1.0}\n');
  expect(relay.sent().client).toContain("noise");
});

describe.each([
  ["a call is answered", "fromClient", CALL, { kind: "answer", message: ANSWER }, ANSWER_LINE],
  ["a call is dropped", "fromClient", CALL, { kind: "drop" }, ""],
  ["a call without an id is dropped", "fromClient", UNASKED, { kind: "drop" }, ""],
  ["an answer is rewritten", "fromServer", RESULT, ANSWER, ANSWER_LINE],
  ["an answer is passed on", "fromServer", RESULT, undefined, RESULT],
  ["an answer is left out", "fromServer", RESULT, null, ""],
] as const)("%s after a while", (_, from, line, ruling, shown) => {
  async function deciding(): Promise<{ readonly relay: Relay; readonly decide: () => void }> {
    let decide = (): void => undefined;
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const relay = start({ awaits: () => true, [from]: async () => decided.then(() => ruling) });
    relay[from].write(line);
    await tick();
    expect(relay.sent().client).toBe("");
    return { relay, decide };
  }

  // At once: a relay that is not idle would wait for the whole grace.
  test("the end of the client ends the server at once after that", async () => {
    const { relay, decide } = await deciding();
    decide();
    await tick();
    expect(relay.sent().client).toBe(shown);
    expect(relay.toServer.writableEnded).toBe(false);
    relay.fromClient.end();
    await tick();
    expect(relay.toServer.writableEnded).toBe(true);
  });

  test("the end of the client before that ends the server with it", async () => {
    const { relay, decide } = await deciding();
    relay.fromClient.end();
    await tick();
    expect(relay.toServer.writableEnded).toBe(false);
    decide();
    await tick();
    expect(relay.sent().client).toBe(shown);
    expect(relay.toServer.writableEnded).toBe(true);
  });
});

test("while nothing is awaited, no answer of the server is parsed", async () => {
  const relay = start({
    fromServer: () => {
      throw new Error("It was asked");
    },
  });
  relay.fromServer.end('{"id":1,"result":{"text":"a\\nb \\u00e9"}}\n');
  await relay.done;
  expect(relay.sent().client).toContain('"id":1');
});

test("a server that reads nothing pauses the client, and the other way round", async () => {
  const relay = start({}, 1_000, false);
  relay.fromClient.write(`${"x".repeat(100)}\n`);
  relay.fromServer.write(`${"y".repeat(100)}\n`);
  await tick();
  expect([relay.fromClient.isPaused(), relay.fromServer.isPaused()]).toEqual([true, true]);
  relay.toServer.resume();
  relay.toClient.resume();
  await tick();
  await tick();
  expect([relay.fromClient.isPaused(), relay.fromServer.isPaused()]).toEqual([false, false]);
});

test("held calls stop the reading before they fill the memory", async () => {
  const rulings: ((ruling: Ruling) => void)[] = [];
  const hold = async (): Promise<Ruling> =>
    new Promise((resolve) => {
      rulings.push(resolve);
    });
  const relay = start({ fromClient: hold }, 10_000_000);
  const long = `${JSON.stringify(toolCall(1, "add", { text: "x".repeat(6_000_000) }))}\n`;
  for (let count = 0; count < 4; count += 1) relay.fromClient.write(long);
  await expect.poll(() => relay.fromClient.isPaused()).toBe(true);
  expect(rulings.length).toBeLessThan(4);
  for (const settle of rulings) settle({ kind: "drop" });
  await expect.poll(() => rulings.length).toBe(4);
});

test("while the gate loads, only what it must see waits for it", async () => {
  let load = (_gate: never): void => undefined;
  const loading = new Promise<never>((resolve) => {
    load = resolve;
  });
  const relay = start(deferredGate(loading));
  relay.fromClient.write(`${CALL}{"id":2,"method":"ping"}\n`);
  await tick();
  expect(relay.sent().server).toBe('{"id":2,"method":"ping"}\n');
  load({ fromClient: () => ({ kind: "answer", message: ANSWER }), awaits: () => false } as never);
  await tick();
  expect(relay.sent().client).toBe(ANSWER_LINE);
});

test("a message too long to be read reaches the gate once it is loaded", async () => {
  let load: (gate: never) => void = () => undefined;
  const loading = new Promise<never>((resolve) => {
    load = resolve;
  });
  const unread: unknown[] = [];
  const gate = deferredGate(loading);
  gate.passUnread({ from: "server", answers: 1 }, {} as Link);
  load({ passUnread: (message: unknown) => unread.push(message) } as never);
  await tick();
  gate.passUnread({ from: "server", answers: 2 }, {} as Link);
  expect(unread).toEqual([
    { from: "server", answers: 1 },
    { from: "server", answers: 2 },
  ]);
});

test("while the gate loads, nothing overtakes a first message that only speaks of tools", async () => {
  const relay = start(deferredGate(new Promise<never>(() => undefined)));
  const hello = `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"tools"}}}\n`;
  relay.fromClient.write(`${hello}{"method":"notifications/initialized"}\n`);
  await tick();
  expect(relay.sent().server).toBe(`${hello}{"method":"notifications/initialized"}\n`);
});

test("held calls stay lines of their own, also after a last line without its end", async () => {
  const rulings: ((ruling: Ruling) => void)[] = [];
  const hold = async (): Promise<Ruling> =>
    new Promise((resolve) => {
      rulings.push(resolve);
    });
  const relay = start({ fromClient: hold });
  relay.fromClient.end(`${CALL}${CALL.trim()}`);
  await expect.poll(() => rulings.length).toBe(2);
  rulings[1]?.({ kind: "forward" });
  await tick();
  rulings[0]?.({ kind: "forward" });
  // At once: waiting for the end of the input would take the whole grace.
  await tick();
  expect(relay.sent().server).toBe(`${CALL}${CALL}`);
});

test("the calls that a server leaves open when it ends are answered, in the contract's words if it has some", async () => {
  const lost = vi.fn<RelayGate["lost"]>(({ id }) => (id === 2 ? ANSWER : undefined));
  const held = new Promise<Ruling>(() => undefined);
  const relay = start({
    fromClient: ({ id }) => (id === 3 ? held : { kind: "forward" }),
    lost,
  });
  for (const id of [1, 2, 3]) {
    relay.fromClient.write(`${JSON.stringify(toolCall(id, "order", {}))}\n`);
  }
  await vi.waitFor(() => expect(relay.sent().server).toContain('"id":2'));
  relay.fromServer.end();
  await relay.done;
  const [first, second, third] = relay.sent().client.trim().split("\n");
  expect(first).toContain("ended before it answered, so the outcome of this call is unknown");
  expect(JSON.parse(second ?? "")).toEqual(ANSWER);
  expect(third).toContain("the call was not sent");
  expect(lost.mock.calls.map(([request]) => request.lost.kind)).toEqual([
    "unanswered",
    "unanswered",
    "not-sent",
  ]);
});
