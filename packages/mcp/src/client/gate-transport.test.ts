import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createGuardrails } from "@toolcontract/guardrails";
import { createGate, type Gate, type GateSettings } from "../gate/index.ts";
import { toolCall } from "../testing/messages.ts";
import { INFO } from "../testing/test-servers.ts";
import type { Message } from "../wire/index.ts";
import { gateTransport } from "./gate-transport.ts";

const silent = { logger: () => undefined, coalesceMs: 0 };
const QUANTITY = {
  type: "object",
  properties: { quantity: { type: "integer" } },
  required: ["quantity"],
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (close) => close()));
});

/** A transport whose other ends, client and server, are the test itself. */
class Wire {
  readonly sent: Message[] = [];
  readonly got: Message[] = [];
  readonly errors: Error[] = [];
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror = (error: Error): unknown => this.errors.push(error);
  sessionId: string | undefined;
  readonly hasPerRequestStream = true;
  /** Set to let every message fail. */
  failure: Error | undefined;
  readonly #secret = "private";

  async send(message: Message): Promise<void> {
    if (this.failure) throw this.failure;
    this.sent.push(message);
  }
  get protocol(): string {
    return this.#secret;
  }
  terminateSession(): string {
    return this.#secret;
  }
  /** Says something as the server. */
  say(message: Message): void {
    this.onmessage?.(message as never);
  }
}

interface Side {
  readonly wire: Wire;
  readonly client: Wire;
  readonly gate: Gate;
}

function wired(
  options: GateSettings = {},
  gate: Gate = createGate({ ...silent, ...options }),
): Side {
  const wire = new Wire();
  const client = gateTransport(wire as never, gate) as unknown as Wire;
  listen(client, { onmessage: (message: Message) => wire.got.push(message) });
  return { wire, client, gate };
}

/** Sets callbacks as a client does. */
function listen(client: Wire, callbacks: object): void {
  Object.assign(client, callbacks);
}

const LIST = { tools: [{ name: "order", inputSchema: QUANTITY }] };
const BAD = toolCall(1, "order", { quantity: "two" }) as Message;

/** Answers the newest request as the server. */
function reply({ wire }: Side, result: object): void {
  wire.say({ jsonrpc: "2.0", id: wire.sent.at(-1)?.["id"], result });
}

/** The client lists the tools, as most do. */
async function list(side: Side): Promise<void> {
  await side.client.send({ jsonrpc: "2.0", id: 0, method: "tools/list" });
  reply(side, LIST);
}

test("an invalid call is answered without reaching the server, by the client's own list", async () => {
  const side = wired();
  await list(side);
  await side.client.send(BAD);
  expect(side.wire.sent.map(({ method }) => method)).toEqual(["tools/list"]);
  expect(side.wire.got).toHaveLength(2);
  expect(JSON.stringify(side.wire.got[1])).toContain("/quantity (VAL-002)");
});

test("a call that is repaired is sent as repaired", async () => {
  const side = wired({}, createGate({ ...silent, unwrapStrings: true }));
  await side.client.send({ jsonrpc: "2.0", id: 0, method: "tools/list" });
  const inputSchema = { type: "object", properties: { of: { type: "array" } } };
  reply(side, { tools: [{ name: "sort", inputSchema }] });
  await side.client.send(toolCall(1, "sort", { of: "[2,1]" }) as Message);
  expect(side.wire.sent.at(-1)).toMatchObject({ params: { arguments: { of: [2, 1] } } });
});

test("a list that the client did not ask for is asked for, unseen", async () => {
  const side = wired();
  const sending = side.client.send(BAD);
  await expect.poll(() => side.wire.sent).toMatchObject([{ method: "tools/list" }]);
  reply(side, LIST);
  await sending;
  expect(side.wire.got).toMatchObject([{ id: 1, result: { isError: true } }]);
});

test("a list that cannot be sent lets the call through, and the client hears of the failure", async () => {
  const side = wired();
  side.wire.failure = new Error("offline");
  await expect(side.client.send(BAD)).rejects.toThrow("offline");
  expect(side.wire.got).toEqual([]);
  expect(side.gate.unvalidated()).toEqual([
    { reason: "tool-list", outcome: "forwarded", count: 1 },
  ]);
});

test("the server's own rejection is rewritten", async () => {
  const side = wired({ mode: "assist" });
  await list(side);
  await side.client.send(BAD);
  const text =
    "Input validation error: Invalid arguments for tool order: quantity: expected number";
  reply(side, { isError: true, content: [{ type: "text", text }] });
  await expect
    .poll(() => JSON.stringify(side.wire.got[1]))
    .toContain("Validation failed for tool 'order'");
});

describe("what is not a tool call", () => {
  test("passes at once, in both directions and in its order", async () => {
    const { wire, client } = wired();
    const sending = client.send(BAD);
    void client.send({ jsonrpc: "2.0", method: "notifications/one" });
    void client.send({ jsonrpc: "2.0", id: 2, method: "ping" });
    expect(wire.sent.map(({ method }) => method).slice(-2)).toEqual(["notifications/one", "ping"]);
    wire.say({ jsonrpc: "2.0", id: 7, method: "sampling/createMessage" });
    wire.say({ jsonrpc: "2.0", method: "notifications/message" });
    expect(wire.got.map(({ method }) => method)).toEqual([
      "sampling/createMessage",
      "notifications/message",
    ]);
    wire.onclose?.();
    await sending;
  });

  test("a batch and a message that is none pass as they are", async () => {
    const { wire, client } = wired();
    const batch = [BAD] as unknown as Message;
    await client.send(batch);
    wire.say(batch);
    expect([wire.sent[0], wire.got[0]]).toEqual([batch, batch]);
  });
});

describe("a transport with a gate", () => {
  test("is the transport in all else", () => {
    const { wire, client } = wired();
    wire.sessionId = "abc";
    expect([client.sessionId, client.hasPerRequestStream]).toEqual(["abc", true]);
    expect([client.protocol, client.terminateSession()]).toEqual(["private", "private"]);
    expect(client).toBeInstanceOf(Wire);
    client.sessionId = "def";
    expect(wire.sessionId).toBe("def");
    const onerror = vi.fn<(error: Error) => unknown>();
    listen(client, { onerror });
    wire.onerror(new Error("x"));
    expect(onerror).toHaveBeenCalledOnce();
  });

  test("reads the callbacks that were set, as a client does that chains them", () => {
    const wire = new Wire();
    const before = vi.fn<() => void>();
    listen(wire, { onclose: before });
    const client = gateTransport(wire as never, createGate(silent)) as unknown as Wire;
    expect(client.onclose).toBe(before);
    const after = vi.fn<() => void>();
    listen(client, { onclose: after });
    expect(client.onclose).toBe(after);
    wire.onclose?.();
    expect(after).toHaveBeenCalledOnce();
    expect(before).not.toHaveBeenCalled();
  });

  test("hears callbacks that are defined in place of set, as instruments do", async () => {
    const side = wired();
    const seen: unknown[] = [];
    let inner = side.client.onmessage;
    Object.defineProperty(side.client, "onmessage", {
      get: () => (message: Message) => {
        seen.push(message);
        inner?.(message as never);
      },
      set(callback: typeof inner) {
        inner = callback;
      },
    });
    await list(side);
    await side.client.send(BAD);
    expect(seen).toEqual(side.wire.got);
    expect(JSON.stringify(seen[1])).toContain("/quantity (VAL-002)");
    listen(side.client, { onmessage: (message: Message) => seen.push(message, "set") });
    side.wire.say({ jsonrpc: "2.0", method: "notifications/message" });
    expect(seen.at(-1)).toBe("set");
  });

  test("drops a held call when it closes, and works again when it is opened again", async () => {
    const side = wired();
    const onclose = vi.fn<() => void>();
    listen(side.client, { onclose });
    const sending = side.client.send(BAD);
    await expect.poll(() => side.wire.sent).toHaveLength(1);
    side.wire.onclose?.();
    await sending;
    expect(onclose).toHaveBeenCalledOnce();
    expect(side.wire.sent).toHaveLength(1);
    expect(side.wire.got).toEqual([]);
    await list(side);
    await side.client.send(BAD);
    expect(JSON.stringify(side.wire.got.at(-1))).toContain("attempt 1/3");
  });
});

const LIMITS = { queues: { one: { concurrent: 1 } }, queueOf: { order: "one" } };
const GOOD = (id: number): Message => toolCall(id, "order", { quantity: id }) as Message;

describe("a call that gets no response", () => {
  test("gives its place back if it could not be sent", async () => {
    const side = wired(LIMITS);
    await list(side);
    side.wire.failure = new Error("offline");
    await expect(side.client.send(GOOD(1))).rejects.toThrow("offline");
    side.wire.failure = undefined;
    await side.client.send(GOOD(2));
    expect(side.wire.sent.at(-1)).toMatchObject({ id: 2 });
  });

  test("gives its place back if the client ends its own request instead of sending a cancellation", async () => {
    const side = wired(LIMITS);
    await list(side);
    const ending = new AbortController();
    const options = { requestSignal: ending.signal };
    await (side.client.send as (message: Message, options: object) => Promise<void>)(
      GOOD(1),
      options,
    );
    const second = side.client.send(GOOD(2));
    expect(side.wire.sent.at(-1)).toMatchObject({ id: 1 });
    ending.abort();
    await second;
    expect(side.wire.sent.at(-1)).toMatchObject({ id: 2 });
  });

  test("is answered by the gate at the end of its time, and the server gets the cancel", async () => {
    const side = wired({ toolTimeout: 5 });
    await list(side);
    await side.client.send(GOOD(1));
    await expect.poll(() => side.wire.got).toHaveLength(2);
    expect(JSON.stringify(side.wire.got[1])).toContain("(tool failed: timeout)");
    expect(side.wire.sent.at(-1)).toMatchObject({ method: "notifications/cancelled" });
    side.wire.say({ jsonrpc: "2.0", id: 1, result: { content: [] } });
    expect(side.wire.got).toHaveLength(2);
  });
});

test("servers that share a gate have tools and attempts of their own", async () => {
  const one = wired();
  const other = wired({}, one.gate);
  await list(one);
  await other.client.send({ jsonrpc: "2.0", id: 0, method: "tools/list" });
  reply(other, { tools: [{ name: "order", inputSchema: { type: "object" } }] });
  await one.client.send(BAD);
  expect(JSON.stringify(one.wire.got.at(-1))).toContain("attempt 1/3");
  await other.client.send(BAD);
  expect(other.wire.sent.at(-1)).toEqual(BAD);
  await list(other);
  await other.client.send(BAD);
  expect(JSON.stringify(other.wire.got.at(-1))).toContain("attempt 1/3");
});

test("conversations on one transport are told apart by their trace", async () => {
  const side = wired();
  await list(side);
  const attempts: unknown[] = [];
  for (const [id, digit] of ["a", "b", "a"].entries()) {
    const _meta = { traceparent: `00-${digit.repeat(32)}-${"1".repeat(16)}-01` };
    const params = { name: "order", arguments: { quantity: "two" }, _meta };
    await side.client.send({ jsonrpc: "2.0", id, method: "tools/call", params });
    attempts.push(/attempt \d/.exec(JSON.stringify(side.wire.got.at(-1)))?.[0]);
  }
  expect(attempts).toEqual(["attempt 1", "attempt 1", "attempt 2"]);
});

test("a client of the SDK whose server is gone hears that, also of a held call", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new Server(INFO, { capabilities: { tools: {} } });
  const onList = vi.fn<() => Promise<never>>(async () => new Promise(() => undefined));
  server.setRequestHandler("tools/list", onList);
  const client = new Client(INFO);
  closing.push(async () => client.close());
  await Promise.all([server.connect(far), client.connect(gateTransport(near, createGate(silent)))]);
  const held = client.callTool({ name: "order", arguments: { quantity: "two" } });
  const heard = held.catch((thrown: unknown) => thrown);
  await expect.poll(() => onList).toHaveBeenCalledOnce();
  await server.close();
  expect(await heard).toMatchObject({ message: "Connection closed" });
});

test.each([
  [undefined, {}, "pass a client's transport"],
  [{}, {}, "pass a client's transport"],
  [new Wire(), undefined, "pass what createGate(…) returns"],
  [new Wire(), { maxAttempts: 3 }, "pass what createGate(…) returns"],
])("gateTransport(%o, %o) throws at once", (transport, gate, message) => {
  expect(() => gateTransport(transport as never, gate as never)).toThrow(message);
});

test("a second gate is refused, for the transport and for what has one", () => {
  const { wire, client, gate } = wired();
  for (const transport of [wire, client]) {
    expect(() => gateTransport(transport as never, gate)).toThrow("already has a gate");
  }
});

test.each<[string, Error, number, string]>([
  [
    "a broken connection",
    Object.assign(new Error("fetch failed"), { cause: { code: "ECONNRESET" } }),
    1,
    "(GRD-006)",
  ],
  [
    "a gateway's status, by version 1",
    Object.assign(new Error("HTTP 504"), { code: 504 }),
    1,
    "(GRD-006)",
  ],
  ["half of a body", new SyntaxError("Unexpected end of JSON input"), 1, "(GRD-006)"],
  [
    "no connection",
    Object.assign(new Error("fetch failed"), { cause: { code: "ECONNREFUSED" } }),
    2,
    "",
  ],
  [
    "a session that is over, by version 2",
    Object.assign(new Error("gone"), { status: 404 }),
    2,
    "",
  ],
])(
  "after %s, an irreversible tool runs again only if it did not run",
  async (_, failure, runs, text) => {
    const guardrails = createGuardrails({ guardrails: [], effects: { order: "irreversible" } });
    const side = wired({ guardrails } as GateSettings);
    await list(side);
    side.wire.failure = failure;
    let sent = 0;
    const answers = async (id: number): Promise<string> => {
      const before = side.wire.got.length;
      await side.client.send(GOOD(id)).catch(() => (sent += 1));
      return JSON.stringify(side.wire.got.slice(before));
    };
    expect(await answers(1)).toContain(text);
    side.wire.failure = undefined;
    await side.client.send(GOOD(2));
    const reached = side.wire.sent.filter(({ method }) => method === "tools/call").length;
    expect([reached, sent]).toEqual(runs === 1 ? [0, 0] : [1, 1]);
  },
);
