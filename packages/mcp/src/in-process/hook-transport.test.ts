import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, test } from "vitest";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { z } from "zod";
import { createGate } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import type { SdkServer, SdkTransport } from "./sdk-server.ts";
import { type HookOptions, withContract, type WithContractOptions } from "./with-contract.ts";

const INFO = { name: "test", version: "1.0.0" };
const silent = { logger: () => undefined };
const bad = { quantity: "two" };
const ORDER = { type: "object", properties: { quantity: { type: "integer" } } };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (close) => close()));
});

function shop(): McpServer {
  const server = new McpServer(INFO);
  server.registerTool("order", { inputSchema: { quantity: z.number().int() } }, async () => ({
    content: [{ type: "text", text: "ordered" }],
  }));
  return server;
}

function onMessage(transport: InMemoryTransport, take: (message: Message) => unknown): void {
  Object.assign(transport, { onmessage: take });
}

/** A transport whose other end is the test itself. */
async function wire(server: McpServer | Server): Promise<{
  readonly send: (message: object) => void;
  readonly got: Message[];
  readonly far: InMemoryTransport;
}> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const got: Message[] = [];
  onMessage(near, (message) => got.push(message));
  await near.start();
  await server.connect(far);
  closing.push(async () => server.close());
  return { send: (message) => void near.send(message as never), got, far };
}

function call(id: number, args: unknown, params: object = {}): object {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "order", arguments: args, ...params },
  };
}

function answerTo(id: number, got: readonly Message[]): unknown {
  return got.find((message) => message["id"] === id);
}

describe("traps of the transport hook", () => {
  test("an accessor onmessage of a class is called, or the server would hang", async () => {
    const sent: unknown[] = [];
    let handler: ((message: object) => void) | undefined;
    class Wrapped extends InMemoryTransport {
      override async send(message: unknown): Promise<void> {
        sent.push(message);
      }
    }
    Object.defineProperty(Wrapped.prototype, "onmessage", {
      get: () => handler,
      set: (given: typeof handler) => {
        handler = given;
      },
    });
    await withContract(shop(), silent).connect(new Wrapped());
    handler?.(call(1, bad));
    await expect.poll(() => JSON.stringify(sent)).toContain("/quantity (VAL-002)");
  });

  test("an earlier handler of the transport still gets every message, once", async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const seen: unknown[] = [];
    onMessage(far, (message) => seen.push(message));
    const server = withContract(shop(), silent);
    await server.connect(far);
    await near.start();
    await near.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect(seen).toHaveLength(1);
    await server.close();
  });

  test("ordinary messages keep their order and are delivered at once, while a call is held", async () => {
    const order: unknown[] = [];
    const server: SdkServer = {
      connect: async (transport: SdkTransport) => {
        const take = ({ method }: Message): unknown => order.push(method);
        Object.assign(transport, { onmessage: take });
      },
    };
    withContract(server, { ...silent, listTimeoutMs: 30 });
    const [, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far as never);
    const send = (message: object): void => far.onmessage?.(message as never);
    send({ jsonrpc: "2.0", id: 1, method: "custom/one" });
    send(call(2, bad));
    send({ jsonrpc: "2.0", method: "notifications/two" });
    send({ jsonrpc: "2.0", id: 3, method: "custom/three" });
    const ordinary = ["custom/one", "notifications/two", "custom/three"];
    expect(order.filter((method) => method !== "tools/list")).toEqual(ordinary);
    await expect.poll(() => order.at(-1)).toBe("tools/call");
  });

  test("the client never sees the answer to the gate's own question", async () => {
    const { send, got } = await wire(withContract(shop(), silent));
    send(call(1, bad));
    await expect.poll(() => got).toHaveLength(1);
    expect(got[0]).toMatchObject({ id: 1, result: { isError: true } });
  });

  test("a held call that is cancelled is never made and never answered", async () => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    const methods: string[] = [];
    server.fallbackRequestHandler = async ({ method }) => {
      methods.push(method);
      return new Promise((resolve) => {
        setTimeout(resolve, 20, { tools: [] });
      });
    };
    const { send, got } = await wire(withContract(server, silent));
    send(call(1, bad));
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await new Promise((resolve) => {
      setTimeout(resolve, 60);
    });
    expect(methods).toEqual(["tools/list"]);
    expect(got).toEqual([]);
  });

  test("a bad call that asks for a task gets the reason, which the SDK hides", async () => {
    const { send, got } = await wire(withContract(shop(), silent));
    send(call(1, bad, { task: { ttl: 1000 } }));
    await expect.poll(() => got).toHaveLength(1);
    expect(got[0]).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(JSON.stringify(got[0])).toContain("/quantity (VAL-002)");
  });

  test("a tool that is added later is validated, because the server sends list_changed", async () => {
    const server = withContract(shop(), silent);
    const { send, got } = await wire(server);
    send(call(1, bad));
    await expect.poll(() => answerTo(1, got)).toBeDefined();
    server.registerTool("order2", { inputSchema: { sku: z.string() } }, async () => ({
      content: [],
    }));
    send(call(2, { sku: 5 }, { name: "order2" }));
    await expect.poll(() => JSON.stringify(answerTo(2, got))).toContain("/sku (VAL-002)");
    send(call(3, { sku: "A1" }, { name: "order2" }));
    await expect.poll(() => answerTo(3, got)).toMatchObject({ result: { content: [] } });
  });

  test("an error has no structuredContent, because v1's client throws on it if the tool has an output schema", async () => {
    const server = new McpServer(INFO);
    const schemas = { inputSchema: { n: z.number() }, outputSchema: { twice: z.number() } };
    server.registerTool("double", schemas, async ({ n }) => ({
      content: [],
      structuredContent: { twice: 2 * n },
    }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client(INFO);
    await Promise.all([withContract(server, silent).connect(far), client.connect(near)]);
    await client.listTools();
    const result = await client.callTool({ name: "double", arguments: { n: "two" } });
    expect(CallToolResultSchema.parse(result).isError).toBe(true);
    expect(await client.callTool({ name: "double", arguments: { n: 2 } })).toMatchObject({
      structuredContent: { twice: 4 },
    });
    await client.close();
  });
});

/** Takes a message of the client or of the gate; `reply` sends the server's answer to it. */
type Take = (message: Message, reply: () => void, extra: unknown) => void;

/** A server that is the test itself, on a transport that keeps what is sent with its options. */
async function served(
  options: WithContractOptions,
  take: Take = (_, reply) => {
    reply();
  },
) {
  const sent: [message: Message, options: unknown][] = [];
  const transport: SdkTransport = {
    send: async (...given: readonly unknown[]) => void sent.push(given as never),
  };
  const tools = ["order", "undo"].map((name) => ({ name, inputSchema: ORDER }));
  const onmessage = (message: Message, extra: unknown): void => {
    const { id, method } = message;
    const result = method === "tools/list" ? { tools } : { content: [] };
    take(message, () => void transport.send({ jsonrpc: "2.0", id, result } as never), extra);
  };
  const server: SdkServer = {
    connect: async (given: SdkTransport) => {
      Object.assign(given, { onmessage });
    },
  };
  await withContract(server, options).connect(transport as never);
  const deliver = (message: object, extra?: object): void =>
    transport.onmessage?.(message as never, extra as never);
  return { transport, sent, deliver };
}

/** The name of the tool that a message calls, or else its method. */
function nameOf({ method, params }: Message): unknown {
  return (params as { readonly name?: unknown } | undefined)?.name ?? method;
}

/** Calls another tool after each call, and keeps what comes of that. */
function undoing(seen: unknown[] = []): ExecutionStage {
  return {
    name: "undo",
    lanes: { outcome: 2 },
    async around({ run, callTool }) {
      const value = await run();
      seen.push(await callTool?.("undo", {}).catch((error: unknown) => String(error)));
      return { action: "return", value };
    },
  };
}

describe("what the gate sends", () => {
  test.each<[string, WithContractOptions, object]>([
    ["a refusal", silent, bad],
    ["the answer to a call over its time", { ...silent, toolTimeout: 20 }, {}],
  ])("%s goes with the client's request", async (_, options, args) => {
    const { deliver, sent } = await served(options, ({ method }, reply) => {
      if (method === "tools/list") reply();
    });
    deliver(call(7, args));
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent).toEqual([[expect.objectContaining({ id: 7 }), { relatedRequestId: 7 }]]);
  });

  test("what a tool sends beside its result goes with the client's request, whoever called it", async () => {
    const notice = { jsonrpc: "2.0", method: "notifications/progress", params: {} };
    const guarded = await served({ ...silent, guardrails: undoing() }, (message, reply) => {
      const relatedRequestId = message["id"];
      const options = { relatedRequestId, resumptionToken: "kept" };
      if (nameOf(message) === "undo")
        void guarded.transport.send(notice as never, options as never);
      reply();
    });
    guarded.deliver(call(7, {}));
    await expect.poll(() => guarded.sent).toHaveLength(2);
    expect(guarded.sent[0]).toEqual([notice, { relatedRequestId: 7, resumptionToken: "kept" }]);
    expect(guarded.sent[1]?.[0]).toMatchObject({ id: 7 });
  });

  test("a transport that cannot send, or a server that throws, is reported to the transport", async () => {
    const errors: unknown[] = [];
    const onerror = (error: Error): unknown => errors.push(error.message);
    const { transport, deliver } = await served(silent, ({ method }, reply) => {
      if (method === "tools/list") reply();
      else throw new Error("no handler");
    });
    Object.assign(transport, { onerror });
    deliver(call(1, {}));
    await expect.poll(() => errors).toEqual(["no handler"]);
    const broken = new InMemoryTransport();
    Object.assign(broken, { onerror });
    await withContract(shop(), silent).connect(broken);
    broken.onmessage?.(call(2, bad) as never);
    await expect.poll(() => errors).toEqual(["no handler", "Not connected"]);
  });

  test("the end of the connection ends what waits: a held call, and the call of a stage", async () => {
    const made: unknown[] = [];
    const held = await served(silent, (message) => made.push(nameOf(message)));
    held.deliver(call(1, {}));
    await expect.poll(() => made).toEqual(["tools/list"]);
    held.transport.onclose?.();
    const seen: unknown[] = [];
    const guarded = await served({ ...silent, guardrails: undoing(seen) }, (message, reply) => {
      if (nameOf(message) === "undo") guarded.transport.onclose?.();
      else reply();
    });
    guarded.deliver(call(1, {}));
    await expect.poll(() => seen).toEqual(["Error: The connection to the server is closed"]);
    expect(made).toEqual(["tools/list"]);
  });
});

describe("who is calling", () => {
  const sending = async (
    options: HookOptions,
    calls: readonly { readonly extra?: object; readonly meta?: object }[],
  ): Promise<readonly string[]> => {
    const gate = createGate({ ...silent, coalesceMs: 0 });
    const texts: string[] = [];
    for (const [id, { extra = {}, meta = {} }] of calls.entries()) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = withContract(shop(), { ...options, gate });
      await server.connect(far);
      const answer = new Promise<unknown>((resolve) => {
        onMessage(near, resolve);
      });
      far.onmessage?.(call(id, bad, { _meta: meta }) as never, extra);
      texts.push(/attempt \d/.exec(JSON.stringify(await answer))?.[0] ?? "");
      await server.close();
    }
    return texts;
  };

  test.each<[string, readonly { extra?: object; meta?: object }[], readonly string[]]>([
    ["no identity: one count", [{}, {}], ["attempt 1", "attempt 2"]],
    [
      "tokens that the host has verified",
      ["a", "b", "a"].map((token) => ({ extra: { authInfo: { token } } })),
      ["attempt 1", "attempt 1", "attempt 2"],
    ],
    [
      "headers as version 1 shows them",
      ["a", "b", "a"].map((authorization) => ({
        extra: { requestInfo: { headers: { authorization } } },
      })),
      ["attempt 1", "attempt 1", "attempt 2"],
    ],
    [
      "the request as version 2 shows it",
      ["a", "b", "a"].map((authorization) => ({
        extra: { request: new Request("http://localhost", { headers: { authorization } }) },
      })),
      ["attempt 1", "attempt 1", "attempt 2"],
    ],
    [
      "traces: each is one run of an agent",
      ["a", "b", "a"].map((digit) => ({
        meta: { traceparent: `00-${digit.repeat(32)}-${"1".repeat(16)}-01` },
      })),
      ["attempt 1", "attempt 1", "attempt 2"],
    ],
  ])("%s", async (_, calls, expected) => {
    expect(await sending({}, calls)).toEqual(expected);
  });

  test("a host may name conversations, and a function that throws does no harm", async () => {
    const calls = ["a", "b", "a"].map((user) => ({ meta: { user } }));
    const attemptKey = ({ params }: Message): string =>
      (params as { _meta: { user: string } })._meta.user;
    expect(await sending({ attemptKey }, calls)).toEqual(["attempt 1", "attempt 1", "attempt 2"]);
    const broken = (): string => {
      throw new Error("no session");
    };
    expect(await sending({ attemptKey: broken }, [{}, {}])).toEqual(["attempt 1", "attempt 2"]);
  });

  test.each<[string, WithContractOptions, string, readonly string[]]>([
    ["the list of tools", silent, "tools/list", ["ana"]],
    ["what a stage calls", { ...silent, guardrails: undoing() }, "undo", ["ana", "ben"]],
    [
      "the end of a call",
      { ...silent, toolTimeout: 20 },
      "notifications/cancelled",
      ["ana", "ben"],
    ],
  ])("%s is sent with the credentials of its call", async (_, options, kind, expected) => {
    const asked: unknown[] = [];
    const { deliver, sent } = await served(options, (message, reply, extra) => {
      if (nameOf(message) === kind) asked.push(extra);
      if (kind !== "notifications/cancelled" || message["method"] === "tools/list") reply();
    });
    for (const [id, token] of ["ana", "ben"].entries())
      deliver(call(id, {}), { authInfo: { token } });
    await expect.poll(() => sent).toHaveLength(2);
    expect(asked).toEqual(expected.map((token) => ({ authInfo: { token } })));
  });

  test.each([
    ["token", "client", undefined, { authInfo: { token: "a-very-secret-token" } }],
    ["session id", "session", "a-very-secret-session", {}],
  ])("no %s appears in a log", async (_, kind, sessionId, extra) => {
    const entries: unknown[] = [];
    const gate = createGate({ logger: (...entry) => entries.push(entry) });
    const server = withContract(shop(), { gate });
    const { far, got } = await wire(server);
    Object.assign(far, { sessionId });
    far.onmessage?.(call(1, bad) as never, extra as never);
    await expect.poll(() => got).toHaveLength(1);
    expect(JSON.stringify(entries)).toMatch(new RegExp(`"${kind}-[0-9a-f]{16}"`));
    expect(JSON.stringify(entries)).not.toContain("secret");
  });
});

describe("calls that some servers take", () => {
  test("are left to a high-level server, which validates itself", async () => {
    const server = new McpServer(INFO);
    server.registerTool(
      "order",
      { inputSchema: { quantity: z.coerce.number().int() } },
      async (args) => ({
        content: [{ type: "text", text: JSON.stringify(args) }],
      }),
    );
    const { send, got } = await wire(withContract(server, silent));
    send(call(1, { quantity: "2" }));
    await expect.poll(() => JSON.stringify(got)).toContain(String.raw`{\"quantity\":2}`);
  });

  test("are refused before a low-level server, which would run them", async () => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    server.fallbackRequestHandler = async ({ method }) =>
      method === "tools/list"
        ? {
            tools: [
              { name: "order", inputSchema: { properties: { quantity: { type: "integer" } } } },
            ],
          }
        : { content: [{ type: "text", text: "RAN" }] };
    const { send, got } = await wire(withContract(server, silent));
    send(call(1, { quantity: "2" }));
    await expect.poll(() => JSON.stringify(got)).toContain("send 2 without quotes");
  });
});

describe("invalid use", () => {
  test("throws at once", async () => {
    const server = withContract(shop(), silent);
    expect(() => withContract(server)).toThrow("this server already has a contract");
    const connected = shop();
    await wire(connected);
    expect(() => withContract(connected)).toThrow("call withContract before connect");
    expect(() => withContract({} as SdkServer)).toThrow("pass a server of @modelcontextprotocol");
    const misspelt = { sotf: "reject" } as WithContractOptions;
    expect(() => withContract(shop(), misspelt)).toThrow("withContract: unknown option 'sotf'");
    const both = { gate: createGate(), mode: "audit" } as unknown as WithContractOptions;
    expect(() => withContract(shop(), both)).toThrow("'mode' belongs to createGate");
    const none = { gate: {} } as WithContractOptions;
    expect(() => withContract(shop(), none)).toThrow("what createGate(…) returns");
    const key = { attemptKey: "x" } as unknown as WithContractOptions;
    expect(() => withContract(shop(), key)).toThrow("option 'attemptKey' must be a function");
  });
});
