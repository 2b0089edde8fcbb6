import {
  FITS_NO_VARIANT,
  FITS_VARIANT,
  REFUSED_SCHEMA,
  topOf,
  WRITTEN,
} from "@toolcontract/case-table/refused-schema";
import { describe, expect, test, vi } from "vitest";
import {
  gatedServer,
  type Script,
  serverOf,
  succeed,
  textOf,
  toolCall,
} from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";

const bad = { path: ["a.txt"] };

function tool(name: string, type = "string"): Message {
  const inputSchema = { type: "object", properties: { path: { type } }, required: ["path"] };
  return { name, inputSchema };
}

function listRequest(id: number, cursor?: string): Message {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/list",
    params: cursor === undefined ? {} : { cursor },
  };
}

/** A server that lists one tool a page. */
function paged(names: readonly string[], extra: Message = {}): Script {
  return (request) => {
    if (request["method"] !== "tools/list") return succeed(request);
    const { cursor = "0" } = request["params"] as { readonly cursor?: string };
    const next = Number(cursor) + 1;
    const result = {
      tools: [tool(names[Number(cursor)] ?? "")],
      ...(next < names.length && { nextCursor: String(next) }),
      ...extra,
    };
    return { jsonrpc: "2.0", id: request["id"], result };
  };
}

describe("lists that the client requests", () => {
  test("the gate asks for nothing itself", async () => {
    const server = gatedServer(serverOf([tool("read_file")]), { clock: () => 0 });
    await server.request(listRequest(1));
    expect(textOf(await server.call("read_file", bad))).toContain("VAL-002");
    expect(server.ownLists()).toBe(0);
  });

  test("a list of several pages is complete, so that an unlisted name is known to be one", async () => {
    const server = gatedServer(paged(["read_file", "write_file", "move_file"]), {
      soft: "reject",
      clock: () => 0,
    });
    await server.request(listRequest(1));
    await server.request(listRequest(2, "1"));
    await server.request(listRequest(3, "2"));
    expect(textOf(await server.call("move_file", bad))).toContain("VAL-002");
    expect(textOf(await server.call("copy_file", {}))).toContain(
      'one of "read_file", "write_file", "move_file"',
    );
    expect(server.ownLists()).toBe(0);
  });

  test("a client that reads only the first page makes the gate read the others, once", async () => {
    const server = gatedServer(paged(["read_file", "write_file", "move_file"]), {
      soft: "reject",
      clock: () => 0,
    });
    await server.request(listRequest(1));
    expect(textOf(await server.call("move_file", bad))).toContain("VAL-002");
    expect(textOf(await server.call("copy_file", {}))).toContain("VAL-012");
    expect(server.ownLists()).toBe(3);
  });

  test("ids of different links do not collide, and lists of different credentials do not mix", async () => {
    const server = gatedServer(serverOf([tool("read_file")]), { clock: () => 0 });
    const other = server.link({ listKey: "another token" });
    void server.gate.fromClient(listRequest(1), server.link());
    const page = { jsonrpc: "2.0", id: 1, result: { tools: [tool("secret_tool")] } };
    expect(server.gate.fromServer(page, other)).toBeUndefined();
    await server.request(listRequest(2), other);
    expect(textOf(await server.call("secret_tool", {}, other))).not.toContain('secret_tool"');
    expect(server.gate.awaits(server.link())).toBe(false);
  });
});

describe("a call before any list", () => {
  test("waits for one list, which all held calls share", async () => {
    const server = gatedServer(serverOf([tool("read_file")]), { clock: () => 0 });
    const texts = await Promise.all(
      [bad, { path: "a.txt" }, bad].map(async (args) =>
        textOf(await server.call("read_file", args)),
      ),
    );
    expect(texts.map((text) => text.slice(0, 17))).toEqual([
      "Validation failed",
      "done",
      "Validation failed",
    ]);
    expect(server.ownLists()).toBe(1);
  });

  test.each<[string, Script]>([
    ["never answers", () => undefined],
    ["refuses", ({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } })],
    ["answers nonsense", ({ id }) => ({ jsonrpc: "2.0", id, result: { tools: "none" } })],
    ["answers nothing", ({ id }) => ({ jsonrpc: "2.0", id, result: null })],
    ["lists null", ({ id }) => ({ jsonrpc: "2.0", id, result: { tools: null } })],
  ])(
    "is forwarded if the server %s to the request for its tools, which is made again",
    async (_, onList) => {
      const script: Script = (request) =>
        request["method"] === "tools/list" ? onList(request) : succeed(request);
      const entries: unknown[] = [];
      const degraded: unknown[] = [];
      const server = gatedServer(script, {
        listTimeoutMs: 50,
        logger: (fields, message) => entries.push({ ...fields, message }),
      });
      server.gate.contract.on("contract-degraded", (event) => degraded.push(event));
      expect(textOf(await server.call("read_file", bad))).toBe("done");
      expect(server.ownLists()).toBe(1);
      expect(textOf(await server.call("read_file", bad))).toBe("done");
      expect(server.ownLists()).toBe(2);
      const why = { reason: "tool-list" };
      const message = "Tool call forwarded without validation";
      expect(entries).toEqual([
        expect.objectContaining({
          level: "warn",
          message: "Tool contract degraded",
          stage: "tool-list",
        }),
        { level: "info", ...why, message },
        { level: "info", ...why, message },
      ]);
      expect(degraded).toEqual([expect.objectContaining({ stage: "tool-list" })]);
      expect(server.gate.unvalidated()).toEqual([{ ...why, outcome: "forwarded", count: 2 }]);
    },
  );

  test("is validated as soon as the server lists its tools", async () => {
    let isReady = false;
    const server = gatedServer((request) => {
      if (request["method"] !== "tools/list" || isReady) {
        return serverOf([tool("read_file")])(request);
      }
      return { jsonrpc: "2.0", id: request["id"], error: { code: -32603, message: "not yet" } };
    });
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    isReady = true;
    expect(textOf(await server.call("read_file", bad))).toContain("VAL-002");
  });

  test("is forwarded if the list has no end, which is not read again at once", async () => {
    const server = gatedServer((request) =>
      request["method"] === "tools/list"
        ? { jsonrpc: "2.0", id: request["id"], result: { tools: [], nextCursor: "again" } }
        : succeed(request),
    );
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    const asked = server.ownLists();
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    expect(server.ownLists()).toBe(asked);
  });

  test("does not wait as long for a server that was late before", async () => {
    vi.useFakeTimers();
    try {
      const script: Script = (request) =>
        request["method"] === "tools/list" ? undefined : succeed(request);
      const server = gatedServer(script, { listTimeoutMs: 5_000 });
      const first = server.call("read_file", bad);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(textOf(await first)).toBe("done");
      const second = server.call("read_file", bad);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(textOf(await second)).toBe("done");
    } finally {
      vi.useRealTimers();
    }
  });

  test("is refused with failOpen: false, counted like any other, and its name is not logged", async () => {
    let now = 0;
    const entries: unknown[] = [];
    const script: Script = (request) =>
      request["method"] === "tools/list" ? undefined : succeed(request);
    const server = gatedServer(script, {
      listTimeoutMs: 20,
      failOpen: false,
      clock: () => now,
      logger: (fields) => entries.push(fields),
    });
    const texts: string[] = [];
    for (const path of ["a", "b", "c", "d"]) {
      texts.push(textOf(await server.call("read_file", { path })));
      now += 1_000;
    }
    expect(texts[0]).toContain("schema could not be read");
    const count = /\(.*\d\/3\)/;
    expect(texts.map((text) => count.exec(text)?.[0])).toEqual([
      "(attempt 1/3)",
      "(attempt 2/3)",
      "(attempt 3/3)",
      "(blocked after 3/3)",
    ]);
    expect(JSON.stringify([entries, server.gate.contract.metrics()])).not.toContain("read_file");
  });

  test("uses an answer that comes late", async () => {
    let now = 0;
    let answer: ((message: Message) => void) | undefined;
    const script: Script = (request) =>
      request["method"] === "tools/list"
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : succeed(request);
    const server = gatedServer(script, { listTimeoutMs: 10, clock: () => now });
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    answer?.({ jsonrpc: "2.0", id: "own", result: { tools: [tool("read_file")] } });
    await expect.poll(async () => textOf(await server.call("read_file", bad))).toContain("VAL-002");
    now = 400_000;
    expect(textOf(await server.call("read_file", bad))).toBe("done");
  });
});

describe("lists that are shown as a provider takes them", () => {
  const top = (answer: Message | undefined): readonly string[] => {
    const { tools } = answer!["result"] as { readonly tools: readonly Message[] };
    return topOf(tools[0]?.["inputSchema"]);
  };
  const listed = { name: "get_weather", title: "Weather", inputSchema: REFUSED_SCHEMA };

  test.each([
    [undefined, topOf(REFUSED_SCHEMA)],
    ["openai", WRITTEN],
    ["gemini", WRITTEN],
  ] as const)(
    "provider %s: a schema with %j, and the server's own judges",
    async (given, shown) => {
      const server = gatedServer(serverOf([listed]), given && { provider: given });
      const answer = await server.request(listRequest(1));
      expect(top(answer)).toEqual(shown);
      expect(answer).toMatchObject({
        result: { tools: [{ name: "get_weather", title: "Weather" }] },
      });
      expect(textOf(await server.call("get_weather", JSON.parse(FITS_NO_VARIANT)))).toContain(
        "VAL-",
      );
      expect(await server.call("get_weather", JSON.parse(FITS_VARIANT))).toMatchObject({
        result: { content: [{ text: "done" }] },
      });
    },
  );

  test("a list that is relayed unread is reported", async () => {
    const stages: string[] = [];
    const server = gatedServer(succeed, { provider: "openai" });
    const { gate } = server;
    gate.contract.on("contract-degraded", ({ stage }) => stages.push(stage));
    const on = server.link();
    await gate.fromClient(listRequest(1), on);
    gate.passUnread({ from: "server", answers: 1 }, on);
    expect(stages).toEqual(["too-large"]);
  });
});

describe("a list that may be outdated", () => {
  const changing = (extra: Message = {}) => {
    let type = "string";
    let now = 0;
    const script: Script = (request) =>
      request["method"] === "tools/list"
        ? {
            jsonrpc: "2.0",
            id: request["id"],
            result: { tools: [tool("read_file", type)], ...extra },
          }
        : succeed(request);
    const server = gatedServer(script, { clock: () => now, coalesceMs: 0 });
    return {
      server,
      change: (to: string) => {
        type = to;
      },
      wait: (milliseconds: number) => {
        now += milliseconds;
      },
    };
  };
  const changed: Message = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

  test("is read again before a call is refused, after list_changed", async () => {
    const { server, change } = changing();
    const link = server.link();
    expect(textOf(await server.call("read_file", bad, link))).toContain("VAL-002");
    change("array");
    expect(server.gate.fromServer(changed, link)).toBeUndefined();
    expect(textOf(await server.call("read_file", bad, link))).toBe("done");
    expect(server.ownLists()).toBe(2);
  });

  test.each([
    ["nothing said", {}],
    ["a ttlMs", { ttlMs: 2_000 }],
    ["a long ttlMs, because a server may be replaced", { ttlMs: 60_000 }],
    ["ttlMs 0, which SDKs write by default", { ttlMs: 0 }],
  ])("is asked for again before a refusal once it is a second old: %s", async (_, extra) => {
    const lifetime = 1_000;
    const { server, change, wait } = changing(extra);
    await server.call("read_file", bad);
    change("array");
    wait(lifetime - 1);
    expect(textOf(await server.call("read_file", bad))).toContain("VAL-002");
    wait(1);
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    expect(server.ownLists()).toBe(2);
  });

  test("is read again after the gate was told that the server may be another one", async () => {
    const { server, change } = changing();
    expect(textOf(await server.call("read_file", bad))).toContain("VAL-002");
    change("array");
    server.gate.expireLists();
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    expect(server.ownLists()).toBe(2);
  });

  test("refuses nothing if the server lists no tools any more", async () => {
    let isListing = true;
    let now = 0;
    const server = gatedServer(
      (request) =>
        isListing || request["method"] !== "tools/list"
          ? serverOf([tool("read_file")])(request)
          : { jsonrpc: "2.0", id: request["id"], error: { code: -32603, message: "no" } },
      { clock: () => now },
    );
    expect(textOf(await server.call("read_file", bad))).toContain("VAL-002");
    isListing = false;
    now = 5_000;
    expect(textOf(await server.call("read_file", bad))).toBe("done");
    expect(server.gate.unvalidated()).toMatchObject([{ reason: "tool-list", count: 1 }]);
  });

  test("never makes a valid call wait", async () => {
    const { server, wait } = changing({ ttlMs: 0 });
    await server.call("read_file", { path: "a.txt" });
    wait(10_000);
    const ruling = server.gate.fromClient(
      toolCall(9, "read_file", { path: "b.txt" }),
      server.link(),
    );
    expect(ruling).toEqual({ kind: "forward" });
    expect(server.ownLists()).toBe(1);
  });

  test("a page asked for before list_changed is not taken for the new list", async () => {
    const { server, change } = changing();
    const link = server.link();
    void server.gate.fromClient(listRequest(1), link);
    void server.gate.fromServer(changed, link);
    void server.gate.fromServer(
      { jsonrpc: "2.0", id: 1, result: { tools: [tool("read_file")] } },
      link,
    );
    change("array");
    expect(textOf(await server.call("read_file", bad, link))).toBe("done");
  });

  test("a tool whose schema changed starts new attempts, an unchanged one continues", async () => {
    const { server, change } = changing();
    const link = server.link();
    const wrong = { path: null };
    const reject = async (): Promise<string> =>
      textOf(await server.call("read_file", [wrong], link));
    expect(await reject()).toContain("(attempt 1/3)");
    void server.gate.fromServer(changed, link);
    expect(await reject()).toContain("(attempt 2/3)");
    change("array");
    void server.gate.fromServer(changed, link);
    expect(await reject()).toContain("(attempt 1/3)");
  });
});

describe("a held call", () => {
  const silentList: Script = (request) =>
    request["method"] === "tools/list" ? undefined : succeed(request);
  const cancelled = (requestId: unknown): Message => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId },
  });

  test("that the client cancels ends here, and so does the cancellation", async () => {
    const server = gatedServer(silentList, { listTimeoutMs: 30 });
    const link = server.link();
    const ruling = server.gate.fromClient(toolCall(7, "read_file", bad), link);
    const kept = server.gate.fromClient(toolCall("7", "read_file", bad), link);
    expect(server.gate.fromClient(cancelled(7), link)).toEqual({ kind: "drop" });
    expect(await ruling).toEqual({ kind: "drop" });
    expect(await kept).toEqual({ kind: "forward" });
  });

  test("that is cancelled counts nothing", async () => {
    const server = gatedServer(serverOf([tool("read_file")]), { clock: () => 0 });
    const link = server.link();
    const ruling = server.gate.fromClient(toolCall(7, "read_file", bad), link);
    void server.gate.fromClient(cancelled(7), link);
    expect(await ruling).toEqual({ kind: "drop" });
    expect(textOf(await server.call("read_file", bad, link))).toContain("(attempt 1/3)");
  });

  test("ends with its link", async () => {
    const server = gatedServer(silentList, { listTimeoutMs: 30 });
    const link = server.link();
    const ruling = server.gate.fromClient(toolCall(7, "read_file", bad), link);
    server.gate.closed(link);
    expect(await ruling).toEqual({ kind: "drop" });
  });

  test.each([
    ["of a call that went on", cancelled(8)],
    ["without an id", cancelled(undefined)],
    ["without parameters", { jsonrpc: "2.0", method: "notifications/cancelled" }],
  ])("the cancellation %s is forwarded", async (_, message) => {
    const server = gatedServer(serverOf([tool("read_file")]), { clock: () => 0 });
    const link = server.link();
    await server.call("read_file", { path: "a.txt" }, link);
    void server.gate.fromClient(toolCall(8, "read_file", { path: "a.txt" }), link);
    expect(server.gate.fromClient(message, link)).toEqual({ kind: "forward" });
  });

  test("the late answer to a cancelled call is not touched", async () => {
    const server = gatedServer(serverOf([tool("read_file", "integer")]));
    const link = server.link();
    const ruling = await server.gate.fromClient(toolCall(8, "read_file", { path: "7" }), link);
    expect(ruling).toEqual({ kind: "forward" });
    expect(server.gate.awaits(link)).toBe(true);
    void server.gate.fromClient(cancelled(8), link);
    expect(server.gate.awaits(link)).toBe(false);
    const late = { jsonrpc: "2.0", id: 8, error: { code: -32602, message: "Invalid" } };
    expect(server.gate.fromServer(late, link)).toBeUndefined();
  });
});

describe("bounds", () => {
  test("a schema that does not compile lets every call through, with one warning", async () => {
    const entries: unknown[] = [];
    const broken = { name: "find", inputSchema: { $ref: "https://example.com/schema.json" } };
    const server = gatedServer(
      serverOf([broken, { name: "old", inputSchema: { pattern: "(?P<a>" } }]),
      {
        logger: (fields) => entries.push(fields),
      },
    );
    for (const name of ["find", "find", "find"]) {
      expect(textOf(await server.call(name, { any: 1 }))).toBe("done");
    }
    const forwarded = { level: "info", reason: "schema", tool_name: "find" };
    expect(entries).toMatchObject([
      { level: "warn", tool_name: "find" },
      forwarded,
      forwarded,
      forwarded,
    ]);
    expect(server.gate.unvalidated()).toEqual([
      { reason: "schema", outcome: "forwarded", count: 3 },
    ]);
  });

  test("a schema that does not compile refuses every call with failOpen: false", async () => {
    const broken = { name: "find", inputSchema: { $ref: "https://example.com/schema.json" } };
    const server = gatedServer(serverOf([broken]), { failOpen: false });
    for (const attempt of ["1/3", "2/3"]) {
      const text = textOf(await server.call("find", { any: attempt }));
      expect(text).toContain("schema could not be read");
    }
    expect(server.received.filter(({ method }) => method === "tools/call")).toEqual([]);
    expect(server.gate.unvalidated()).toEqual([{ reason: "schema", outcome: "refused", count: 2 }]);
  });

  test("a schema that carries its library's validator is read without it", async () => {
    const inputSchema = { ...(tool("x")["inputSchema"] as object), "~standard": { version: 1 } };
    const server = gatedServer(serverOf([{ name: "read_file", inputSchema }]));
    expect(textOf(await server.call("read_file", bad))).toContain("VAL-002");
  });

  test("names that every object inherits are ordinary tool names", async () => {
    const server = gatedServer(serverOf([tool("constructor"), tool("__proto__")]), {
      soft: "reject",
    });
    expect(textOf(await server.call("constructor", bad))).toContain("VAL-002");
    expect(textOf(await server.call("__proto__", bad))).toContain("VAL-002");
    expect(textOf(await server.call("toString", {}))).toContain("VAL-012");
  });

  test("at most 10,000 unanswered requests are remembered", async () => {
    const server = gatedServer(() => undefined);
    const link = server.link();
    for (let id = 0; id < 30_000; id += 1) void server.gate.fromClient(listRequest(id), link);
    const page = { jsonrpc: "2.0", id: 1, result: { tools: [tool("read_file")] } };
    void server.gate.fromServer(page, link);
    expect(server.gate.fromClient(toolCall(1, "read_file", { path: "" }), link)).toBeInstanceOf(
      Promise,
    );
    void server.gate.fromServer({ ...page, id: 29_999 }, link);
    expect(server.gate.fromClient(toolCall(2, "read_file", { path: "" }), link)).toEqual({
      kind: "forward",
    });
    server.gate.closed(link);
    expect(server.gate.awaits(link)).toBe(false);
  });

  test("of a list of 200,000 tools, 10,000 are kept", async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => tool(`tool_${index}`));
    const server = gatedServer(serverOf(many));
    await server.request(listRequest(1));
    expect(textOf(await server.call("tool_9999", bad))).toContain("VAL-002");
  });
});
