import { Client as ClientV2, InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Server as ServerV2 } from "@modelcontextprotocol/server";
import { createQueues, type SessionEvent, type ToolEntry } from "@toolcontract/session";
import { afterEach, describe, expect, test, vi } from "vitest";
import { INFO } from "../testing/test-servers.ts";
import { guardClient, type GuardClientOptions } from "./guard-client.ts";

const TOOLS = ["hang", "text", "image", "structured", "fails", "breaks"].map((name) => ({
  name,
  inputSchema: { type: "object" as const },
  ...(name === "structured" && { outputSchema: { type: "object" as const } }),
}));
const IMAGE = { type: "image" as const, data: "aGVsbG8gd29ybGQgaGVsbG8=", mimeType: "image/png" };
const LONG = "é€😀".repeat(400);

/** What the server saw. */
interface Seen {
  cancelled: number;
  running: number;
  peak: number;
}

async function answer(name: string, signal: AbortSignal, seen: Seen): Promise<object> {
  seen.running += 1;
  seen.peak = Math.max(seen.peak, seen.running);
  try {
    switch (name) {
      case "hang":
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
        seen.cancelled += 1;
        return { content: [] };
      case "image":
        return { content: [{ type: "text", text: LONG }, IMAGE, { type: "text", text: "more" }] };
      case "structured":
        return { content: [], structuredContent: { text: LONG } };
      case "fails":
        return { isError: true, content: [{ type: "text", text: "DB down\ntoken=hunter2secret" }] };
      case "breaks":
        throw new Error("DB down");
      default:
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        return { content: [{ type: "text", text: LONG }] };
    }
  } finally {
    seen.running -= 1;
  }
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (close) => close()));
});

async function connectV1(seen: Seen): Promise<ClientV1> {
  const server = new ServerV1(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal }) => answer(params.name, signal, seen) as never,
  );
  const [near, far] = MemoryV1.createLinkedPair();
  const client = new ClientV1(INFO);
  await Promise.all([server.connect(far), client.connect(near)]);
  closing.push(async () => client.close());
  return client;
}

async function connectV2(seen: Seen): Promise<ClientV2> {
  const server = new ServerV2(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
  server.setRequestHandler(
    "tools/call",
    async ({ params }, { mcpReq }) => answer(params.name, mcpReq.signal, seen) as never,
  );
  const [near, far] = MemoryV2.createLinkedPair();
  const client = new ClientV2(INFO);
  await Promise.all([server.connect(far), client.connect(near)]);
  closing.push(async () => client.close());
  return client;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
}

/** Both generations, called with whatever arguments they take. */
interface AnyClient {
  callTool(...args: readonly unknown[]): Promise<Result>;
}

describe.each([
  ["@modelcontextprotocol/sdk 1.x", connectV1],
  ["@modelcontextprotocol/client 2.x", connectV2],
])("%s", (_, connect) => {
  async function guarded(options: Partial<GuardClientOptions> = {}) {
    const seen: Seen = { cancelled: 0, running: 0, peak: 0 };
    const entries: ToolEntry[] = [];
    const events: SessionEvent[] = [];
    const client = await connect(seen);
    let now = 1_000;
    const guard = guardClient(client as ClientV1, {
      server: "shop",
      onEntry: (entry) => entries.push(entry),
      onEvent: (event) => events.push(event),
      clock: () => (now += 5),
      ...options,
    });
    const call = async (name: string, signal?: AbortSignal): Promise<Result> => {
      const params = { name, arguments: { q: "ab" } };
      const rest = connect === connectV1 ? [undefined, { signal }] : [{ signal }];
      return (guard as unknown as AnyClient).callTool(params, ...(signal ? rest : []));
    };
    return { client, guard, call, seen, entries, events };
  }

  test("a call over its time is answered, and the server gets the cancel", async () => {
    const { call, seen, entries, events } = await guarded({ toolTimeout: 20 });
    expect(await call("hang")).toEqual({
      isError: true,
      content: [{ type: "text", text: "(tool failed: timeout)" }],
    });
    await expect.poll(() => seen.cancelled).toBe(1);
    expect(events).toEqual([{ type: "tool-timeout", tool: "hang", limit: 20 }]);
    expect(entries).toEqual([
      {
        type: "tool",
        mcpServer: "shop",
        command: "hang",
        status: "failed",
        latency: 5,
        timestamp: 1_005,
        charactersIn: 10,
        charactersOut: 22,
        error: "timeout",
      },
    ]);
  });

  test("a limit for one tool alone", async () => {
    const { call } = await guarded({ toolTimeout: (tool) => (tool === "hang" ? 20 : undefined) });
    expect((await call("hang")).isError).toBe(true);
    expect((await call("text")).content[0]?.text).toBe(LONG);
  });

  test("the text of a result is cut, and its image stays", async () => {
    const { call, entries, events } = await guarded({ toolResponseMaxBytes: 101 });
    const text = `[TRUNCATED] Original size 3604 bytes; truncated to 101 bytes.\n${"é€😀".repeat(11)}é`;
    expect((await call("image")).content).toEqual([{ type: "text", text }, IMAGE]);
    expect(events).toEqual([{ type: "tool-truncated", tool: "image", bytes: 3604, limit: 101 }]);
    expect(entries).toMatchObject([{ status: "ok", charactersOut: text.length }]);
  });

  test("structured content that is too long becomes cut text", async () => {
    const { guard, call } = await guarded({ toolResponseMaxBytes: 101 });
    await guard.listTools();
    const result = await call("structured");
    expect(result.structuredContent).toBeUndefined();
    expect(result.content).toHaveLength(1);
    expect(result.content[0]?.text).toMatch(
      /^\[TRUNCATED\] Original size 3611 bytes; .*\n\{"text":"é€/,
    );
  });

  test("an exempt tool, and a result that fits, are not touched", async () => {
    const { call, events } = await guarded({ toolResponseMaxBytes: 101, truncateExempt: ["text"] });
    expect((await call("text")).content[0]?.text).toBe(LONG);
    expect((await call("fails")).content[0]?.text).toContain("DB down");
    expect(events).toEqual([]);
  });

  test("queues: never more at once than the limit, shared between clients", async () => {
    const queues = createQueues({ browser: { concurrent: 2 } });
    const options = { queues, queueOf: { text: "browser" } };
    const [one, two] = [await guarded(options), await guarded(options)];
    let [peak, running] = [0, 0];
    const run = queues.run.bind(queues);
    queues.run = async (queue, inner, signal) =>
      run(
        queue,
        async () => {
          peak = Math.max(peak, (running += 1));
          return inner().finally(() => (running -= 1));
        },
        signal,
      );
    await Promise.all(Array.from({ length: 8 }, (__, n) => (n % 2 ? one : two).call("text")));
    expect(peak).toBe(2);
    expect(queues.depth("browser")).toEqual({ running: 0, waiting: 0 });
  });

  test("a call over its time gives its place back", async () => {
    const limits = { toolTimeout: 20, queues: { default: { concurrent: 1 } } };
    const { call, seen } = await guarded(limits);
    const results = await Promise.all([call("hang"), call("hang"), call("text")]);
    expect(results.map(({ isError }) => isError)).toEqual([true, true, undefined]);
    expect(seen.peak).toBeLessThanOrEqual(2);
  });

  test("the caller's signal ends a call, and a wait for a place", async () => {
    const { call, seen, entries } = await guarded({ queues: { default: { concurrent: 1 } } });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = call("hang", first.signal);
    const waiting = call("text", second.signal);
    second.abort(new Error("user left"));
    await expect(waiting).rejects.toThrow("user left");
    await expect.poll(() => seen.running).toBe(1);
    first.abort(new Error("user left"));
    await expect(running).rejects.toThrow("user left");
    await expect.poll(() => seen.cancelled).toBe(1);
    expect(entries).toMatchObject([{ command: "hang", status: "failed" }]);
  });

  test("the caller's own shorter time limit stays the SDK's", async () => {
    const { guard } = await guarded({ toolTimeout: 60_000 });
    const params = { name: "hang" };
    const rest = connect === connectV1 ? [undefined, { timeout: 20 }] : [{ timeout: 20 }];
    await expect((guard as unknown as AnyClient).callTool(params, ...rest)).rejects.toThrow(
      /timed out/i,
    );
  });

  test("failures are accounted: an error result, and an error of the protocol, which is passed on", async () => {
    const { call, entries } = await guarded();
    expect((await call("fails")).isError).toBe(true);
    await expect(call("breaks")).rejects.toThrow("DB down");
    expect(entries).toMatchObject([
      { status: "failed", error: "DB down token=[redacted]" },
      { status: "failed", error: expect.stringContaining("DB down") as string, charactersOut: 0 },
    ]);
  });

  test("the rest of the client is untouched", async () => {
    const { client, guard } = await guarded();
    expect((await guard.listTools()).tools).toHaveLength(TOOLS.length);
    expect(guard).toBeInstanceOf(client.constructor);
    expect(Reflect.get(guard, "listTools")).toBe(Reflect.get(guard, "listTools"));
    const onclose = vi.fn<() => void>();
    Object.assign(guard, { onclose });
    expect([client.onclose, guard.onclose]).toEqual([onclose, onclose]);
    expect(guard.transport).toBe(client.transport);
    await guard.close();
    expect(onclose).toHaveBeenCalled();
  });

  test.each([
    ["is for that tool alone", () => 101, true],
    ["is none if it is not a limit", () => 0.5, false],
    ["is none if the function returns nothing", () => undefined, false],
  ])("a limit of size that a function gives %s", async (__, limit, isCut) => {
    const { call } = await guarded({
      toolResponseMaxBytes: (tool: string) => (tool === "text" ? limit() : undefined),
    });
    expect((await call("text")).content[0]?.text.startsWith("[TRUNCATED]")).toBe(isCut);
    expect((await call("image")).content[0]?.text).toBe(LONG);
  });

  test("callbacks that throw change nothing", async () => {
    const fail = (): never => {
      throw new Error("host");
    };
    const options = { onEntry: fail, onEvent: fail, toolTimeout: fail, toolResponseMaxBytes: 9 };
    const { call } = await guarded(options);
    expect((await call("text")).content[0]?.text).toMatch(/^\[TRUNCATED\]/);
  });
});

test.each([
  [{}, "option 'server' must be the name of the MCP server"],
  [undefined, "option 'server' must be the name of the MCP server"],
  [{ server: "" }, "option 'server' must be the name of the MCP server"],
  [{ server: "s", toolTimeot: 5 }, "Did you mean 'toolTimeout'?"],
  [{ server: "s", toolTimeout: 0 }, "'toolTimeout' must be a number of milliseconds above 0"],
  [{ server: "s", toolResponseMaxBytes: 1.5 }, "'toolResponseMaxBytes' must be a whole number"],
  [{ server: "s", truncateExempt: "x" }, "'truncateExempt' must be an array of tool names"],
  [{ server: "s", queues: { a: 2 } }, 'queue "a" must be { concurrent: N }'],
  [
    { server: "s", queueOf: { open_page: "nope" } },
    'guardClient: queue "nope" is not defined; known queues: default.',
  ],
])("guardClient(client, %j) throws at once", (options, message) => {
  expect(() => guardClient(new ClientV2(INFO), options as never)).toThrow(message);
});

test("what is not a client, or has a guard, is refused", () => {
  expect(() => guardClient({} as never, { server: "s" })).toThrow("pass a client");
  const guard = guardClient(new ClientV1(INFO), { server: "s" });
  expect(() => guardClient(guard, { server: "s" })).toThrow("already guarded");
});

test.each([
  ["no matter how long", 120_000, {}, 2 ** 31 - 1],
  ["unless the caller says otherwise", 120_000, { timeout: 7 }, 7],
  ["or there is no limit", undefined, {}, undefined],
])("the SDK waits %s", async (_, toolTimeout, own, timeout) => {
  const options: unknown[] = [];
  const fake = {
    callTool: async (__: unknown, ___: unknown, given: unknown): Promise<object> => {
      options.push(given);
      return { content: [] };
    },
  };
  const guard = guardClient(fake, { server: "s", ...(toolTimeout && { toolTimeout }) });
  await guard.callTool({ name: "x" }, undefined, own);
  const signal = expect.any(AbortSignal) as AbortSignal;
  expect(options).toEqual([{ ...(timeout !== undefined && { timeout }), signal }]);
});
