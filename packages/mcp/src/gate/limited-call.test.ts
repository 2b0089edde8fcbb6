import type { ContractOptions } from "@toolcontract/core";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { createQueues } from "@toolcontract/session";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toolCall } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";
import {
  createGate,
  type GateOptions,
  type GateSettings,
  type Link,
  type Ruling,
} from "./index.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const inputSchema = { type: "object", properties: { n: { type: "integer" } } };
const TOOLS = [
  { name: "open_page", inputSchema },
  { name: "add", inputSchema },
];
const TIMED_OUT = { isError: true, content: [{ type: "text", text: "(tool failed: timeout)" }] };
const DONE = { content: [{ type: "text", text: "done" }] };

const cancelled = (id: number): Message => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: id, reason: "timeout" },
});

/** The listed schemas are compiled in the background: before a limit of 50 ms is over, that needs no timer any more. */
async function compiled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(45);
}

/** A gate whose both ends are the test itself. */
function gated(options: GateSettings & Omit<ContractOptions, keyof GateSettings>) {
  const entries: [object, string][] = [];
  const gate = createGate({ logger: (...entry) => entries.push(entry), ...options });
  const [toServer, toClient]: [Message[], Message[]] = [[], []];
  const link: Link = {
    attemptKey: "process",
    listKey: "",
    listTools: async () => ({ tools: TOOLS }),
    notify: (message) => toServer.push(message),
  };
  return {
    gate,
    link,
    toServer,
    toClient,
    warnings: () => entries.filter(([fields]) => "limit" in fields || "limit_ms" in fields),
    async send(message: Message): Promise<Ruling> {
      const ruling = await gate.fromClient(message, link);
      if (ruling.kind === "answer") toClient.push(ruling.message);
      if (ruling.kind !== "forward") return ruling;
      toServer.push(ruling.message ?? message);
      void ruling.limited?.givenUp?.then((answer) => toClient.push(answer));
      return ruling;
    },
    async answer(id: number, result: object): Promise<void> {
      const message = { jsonrpc: "2.0", id, result };
      const other = await gate.fromServer(message, link);
      if (other !== null) toClient.push(other ?? message);
    },
  };
}
const called = ({ toServer }: { readonly toServer: readonly Message[] }): readonly unknown[] =>
  toServer.filter(({ method }) => method === "tools/call").map(({ id }) => id);

describe("the limit of time", () => {
  test("the client gets the answer, the server the cancel, and a late response is dropped", async () => {
    const way = gated({ toolTimeout: 50 });
    await way.send(toolCall(1, "add", { n: 1 }));
    await vi.advanceTimersByTimeAsync(49);
    expect(way.toClient).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(way.toClient).toEqual([{ jsonrpc: "2.0", id: 1, result: TIMED_OUT }]);
    expect(way.toServer).toEqual([toolCall(1, "add", { n: 1 }), cancelled(1)]);
    expect(way.gate.awaits(way.link)).toBe(true);
    await way.answer(1, DONE);
    expect(way.toClient).toHaveLength(1);
    expect(way.gate.awaits(way.link)).toBe(false);
    expect(way.gate.limits()).toMatchObject({ timedOut: 1, truncated: 0 });
    expect(way.warnings()).toEqual([
      [{ level: "warn", package: "mcp", tool_name: "add", limit_ms: 50 }, "Tool call timed out"],
    ]);
  });

  test("an answer in time ends the clock", async () => {
    const way = gated({ toolTimeout: 50 });
    await way.send(toolCall(1, "add", { n: 1 }));
    await way.answer(1, DONE);
    await compiled();
    expect(vi.getTimerCount()).toBe(0);
    expect(way.toClient).toEqual([{ jsonrpc: "2.0", id: 1, result: DONE }]);
    expect(way.toServer).toHaveLength(1);
  });

  test.each([
    ["a client that cancels", { requestId: 1 }],
    ["a connection that ends", undefined],
    ["a response too long to be read", "unread"],
  ])("%s ends the clock", async (_, params) => {
    const way = gated({ toolTimeout: 50 });
    await way.send(toolCall(1, "add", { n: 1 }));
    if (params === undefined) way.gate.closed(way.link);
    else if (params === "unread") way.gate.passUnread({ from: "server", answers: 1 }, way.link);
    else await way.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    await compiled();
    expect(vi.getTimerCount()).toBe(0);
    expect(way.toClient).toEqual([]);
  });

  test.each([
    ["in every mode", { mode: "audit" as const }, { n: "x" }],
    ["of tools that are not validated", { tools: { add: "off" as const } }, { n: "x" }],
    ["of soft calls", {}, { n: "1" }],
  ])("it is there %s", async (_, options, args) => {
    const way = gated({ toolTimeout: 50, ...options });
    await way.send(toolCall(1, "add", args));
    await vi.advanceTimersByTimeAsync(50);
    expect(way.toClient).toEqual([{ jsonrpc: "2.0", id: 1, result: TIMED_OUT }]);
  });

  test("a result of the stateless protocol names its type, and a task gets an error", async () => {
    const way = gated({ toolTimeout: 50 });
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const params = { name: "add", arguments: { n: 1 } };
    await way.send({ ...toolCall(1, "add", {}), params: { ...params, _meta } });
    await way.send({ ...toolCall(2, "add", {}), params: { ...params, task: {} } });
    await vi.advanceTimersByTimeAsync(50);
    expect(way.toClient).toEqual([
      { jsonrpc: "2.0", id: 1, result: { resultType: "complete", ...TIMED_OUT } },
      { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "(tool failed: timeout)" } },
    ]);
  });

  test("a transport that cannot send the cancel does no harm", async () => {
    const way = gated({ toolTimeout: 50 });
    const link: Link = {
      ...way.link,
      notify: () => {
        throw new Error("gone");
      },
    };
    const ruling = await way.gate.fromClient(toolCall(1, "add", { n: 1 }), link);
    await vi.advanceTimersByTimeAsync(50);
    const answer = ruling.kind === "forward" ? await ruling.limited?.givenUp : undefined;
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: TIMED_OUT });
  });

  test("an invalid call is answered at once, without a clock", async () => {
    const way = gated({ toolTimeout: 50 });
    await way.send(toolCall(1, "add", { n: "one" }));
    expect(JSON.stringify(way.toClient)).toContain("/n (VAL-002)");
    await compiled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a stage of the contract", () => {
  test("sees a call over its time as a tool that may have run, and the client reads what the stage says", async () => {
    const outputs: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      async around({ run }) {
        outputs.push(await Promise.resolve(run()).catch((thrown: unknown) => thrown));
        return { action: "retry", lane: "outcome", errors: [{ message: "undone" }] };
      },
    };
    const way = gated({ toolTimeout: 50, guardrails });
    await way.send(toolCall(1, "add", { n: 1 }));
    await vi.advanceTimersByTimeAsync(50);
    expect(outputs).toMatchObject([{ name: "AnswerLost", code: "ETIMEDOUT" }]);
    expect(JSON.stringify(way.toClient)).toContain("undone");
    await way.answer(1, DONE);
    expect(way.toClient).toHaveLength(1);
  });

  test("sees the whole result, which is cut for the client", async () => {
    const outputs: unknown[] = [];
    const guardrails: ExecutionStage = {
      name: "watch",
      lanes: { outcome: 2 },
      async around({ run }) {
        const value = await run();
        outputs.push(value);
        return { action: "return", value };
      },
    };
    const way = gated({ toolResponseMaxBytes: 2, guardrails });
    await way.send(toolCall(1, "add", { n: 1 }));
    await way.answer(1, DONE);
    expect(outputs).toEqual([DONE]);
    expect(JSON.stringify(way.toClient)).toContain("truncated to 2 bytes.\\ndo");
  });
});

describe("queues", () => {
  const limits = { queues: { browser: { concurrent: 1 } }, queueOf: { open_page: "browser" } };

  test("a call waits for its place; other tools do not", async () => {
    const way = gated(limits);
    const sent = [1, 2, 3].map(async (id) => way.send(toolCall(id, "open_page", { n: id })));
    await vi.advanceTimersByTimeAsync(0);
    await way.send(toolCall(4, "add", { n: 1 }));
    expect(called(way)).toEqual([1, 4]);
    await way.answer(1, DONE);
    await vi.advanceTimersByTimeAsync(0);
    expect(called(way)).toEqual([1, 4, 2]);
    expect(way.gate.limits()?.queues).toEqual([
      { name: "default", running: 0, waiting: 0 },
      { name: "browser", running: 1, waiting: 1 },
    ]);
    await way.answer(2, DONE);
    await Promise.all(sent);
    expect(called(way)).toEqual([1, 4, 2, 3]);
  });

  test("the clock starts with the place; a call over its time gives it back", async () => {
    const way = gated({ ...limits, toolTimeout: 50 });
    await way.send(toolCall(1, "open_page", { n: 1 }));
    const second = way.send(toolCall(2, "open_page", { n: 2 }));
    await vi.advanceTimersByTimeAsync(50);
    await second;
    expect(called(way)).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(49);
    expect(way.toClient.map(({ id }) => id)).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(way.toClient.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("a call that is cancelled while it waits is never made", async () => {
    const queues = createQueues(limits.queues);
    const way = gated({ ...limits, queues });
    await way.send(toolCall(1, "open_page", { n: 1 }));
    const second = way.send(toolCall(2, "open_page", { n: 2 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(queues.depth("browser")).toEqual({ running: 1, waiting: 1 });
    const params = { requestId: 2 };
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    expect(await way.send(cancel)).toEqual({ kind: "drop" });
    expect(await second).toEqual({ kind: "drop" });
    expect(queues.depth("browser")).toEqual({ running: 1, waiting: 0 });
  });

  test("a connection that ends gives all places back", async () => {
    const queues = createQueues(limits.queues);
    const way = gated({ ...limits, queues });
    await way.send(toolCall(1, "open_page", { n: 1 }));
    const second = way.send(toolCall(2, "open_page", { n: 2 }));
    await vi.advanceTimersByTimeAsync(0);
    way.gate.closed(way.link);
    expect(await second).toEqual({ kind: "drop" });
    expect(queues.depth("browser")).toEqual({ running: 0, waiting: 0 });
  });

  test("a transport that knows of no response gives the place back", async () => {
    const queues = createQueues(limits.queues);
    const way = gated({ ...limits, queues });
    const ruling = await way.send(toolCall(1, "open_page", { n: 1 }));
    expect(ruling.kind === "forward" && ruling.limited?.isOver()).toBe(false);
    if (ruling.kind === "forward") ruling.limited?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(queues.depth("browser")).toEqual({ running: 0, waiting: 0 });
  });
});

test("whatever becomes of calls, no place and no clock is left", async () => {
  const step = fc.oneof(
    ...(["call", "answer", "cancel", "unread"] as const).map((kind) =>
      fc.record({ kind: fc.constant(kind), id: fc.integer({ min: 1, max: 6 }) }),
    ),
    fc.record({ kind: fc.constant("wait" as const), id: fc.integer({ min: 1, max: 60 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, closes) => {
      const queues = createQueues({ one: { concurrent: 1 }, default: { concurrent: 2 } });
      const way = gated({ toolTimeout: 50, queues, queueOf: { open_page: "one" } });
      const made = new Set<number>();
      for (const { kind, id } of steps) {
        if (kind === "call" && !made.has(id)) {
          made.add(id);
          void way.send(toolCall(id, id % 2 === 0 ? "open_page" : "add", { n: id }));
        } else if (kind === "answer") await way.answer(id, DONE);
        else if (kind === "cancel") {
          const params = { requestId: id };
          void way.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
        } else if (kind === "unread") {
          way.gate.passUnread({ from: "server", answers: id }, way.link);
        } else await vi.advanceTimersByTimeAsync(id);
        expect(queues.depth("one").running).toBeLessThanOrEqual(1);
        expect(queues.depth("default").running).toBeLessThanOrEqual(2);
      }
      if (closes) way.gate.closed(way.link);
      await vi.advanceTimersByTimeAsync(1_000);
      const free = { running: 0, waiting: 0 };
      expect([queues.depth("one"), queues.depth("default")]).toEqual([free, free]);
      expect(vi.getTimerCount()).toBe(0);
    }),
  );
});

describe("the limit of size", () => {
  const LONG = "é€😀".repeat(40);
  const NOTICE = "[TRUNCATED] Original size 360 bytes; truncated to 101 bytes.\n";
  const IMAGE = { type: "image", data: "a".repeat(500), mimeType: "image/png" };

  test("cuts the text of a result, and leaves the rest of the message", async () => {
    const way = gated({ toolResponseMaxBytes: 101 });
    await way.send(toolCall(1, "add", { n: 1 }));
    const content = [IMAGE, { type: "text", text: LONG, annotations: { priority: 1 } }];
    await way.answer(1, { content, _meta: { trace: "t" } });
    const text = `${NOTICE}${"é€😀".repeat(11)}é`;
    const kept = [IMAGE, { type: "text", text, annotations: { priority: 1 } }];
    const result = { content: kept, _meta: { trace: "t" } };
    expect(way.toClient).toEqual([{ jsonrpc: "2.0", id: 1, result }]);
    expect(way.gate.limits()).toMatchObject({ timedOut: 0, truncated: 1 });
    expect(way.warnings()).toEqual([
      [
        { level: "warn", package: "mcp", tool_name: "add", bytes: 360, limit: 101 },
        "Tool result truncated",
      ],
    ]);
  });

  test("a result that fits is forwarded as it is, and so is one of an exempt tool", async () => {
    const way = gated({ toolResponseMaxBytes: 101, truncateExempt: ["open_page"] });
    await way.send(toolCall(1, "add", { n: 1 }));
    await way.send(toolCall(2, "open_page", { n: 1 }));
    const long = { content: [{ type: "text", text: LONG }] };
    const message = { jsonrpc: "2.0", id: 2, result: long };
    expect(
      await way.gate.fromServer({ jsonrpc: "2.0", id: 1, result: DONE }, way.link),
    ).toBeUndefined();
    expect(await way.gate.fromServer(message, way.link)).toBeUndefined();
  });

  test.each([
    ["that is too long", { a: LONG }],
    ["with a number that would change", { a: 2 ** 60, b: "x" }],
  ])(
    "structured content %s is left out; the result is an error, or clients refuse it",
    async (_, structuredContent) => {
      const way = gated({ toolResponseMaxBytes: 101 });
      await way.send(toolCall(1, "add", { n: 1 }));
      await way.answer(1, { content: [{ type: "text", text: LONG }], structuredContent });
      const [answer] = way.toClient as unknown as readonly { readonly result: Message }[];
      expect(answer?.result).not.toHaveProperty("structuredContent");
      expect(answer?.result["isError"]).toBe(true);
    },
  );

  test("a note of the contract stays whole", async () => {
    const way = gated({
      toolResponseMaxBytes: 9,
      unknownFields: "warn",
      reportAdvisories: true,
    });
    await way.send(toolCall(1, "add", { n: 1, extra: 2 }));
    await way.answer(1, { content: [{ type: "text", text: "0123456789" }] });
    const [answer] = way.toClient as unknown as readonly {
      readonly result: { readonly content: Message[] };
    }[];
    expect(answer?.result.content.map(({ text }) => text)).toEqual([
      "[TRUNCATED] Original size 10 bytes; truncated to 9 bytes.\n012345678",
      expect.stringContaining("/extra") as string,
    ]);
  });
});

test("a gate without limits counts none", () => {
  expect(gated({}).gate.limits()).toBeUndefined();
});

test.each([
  [{ queueOf: { add: "nope" } }, 'createGate: queue "nope" is not defined; known queues: default.'],
  [{ queues: { a: { concurrent: 0 } } }, 'queue "a" must be { concurrent: N }'],
  [{ toolTimeout: -1 }, "'toolTimeout' must be a number of milliseconds above 0"],
])("createGate(%j) throws at once", (options, message) => {
  expect(() => createGate(options as GateOptions)).toThrow(message);
});
