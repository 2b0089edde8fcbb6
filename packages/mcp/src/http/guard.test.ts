import { afterEach, describe, expect, test } from "vitest";
import {
  ADD,
  closePairs,
  type Seen,
  sendJson,
  serveAdd,
  startPair,
} from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import type { Answer } from "../testing/proxy-streams.ts";

afterEach(closePairs);

async function textOf(response: Response): Promise<string> {
  const { result } = (await response.json()) as Answer;
  return result?.content?.[0]?.text ?? "";
}

test("a bad call is answered as JSON and never reaches the server; a good one does", async () => {
  const pair = await startPair(serveAdd);
  const bad = await pair.post(toolCall(1, "add", { a: 1 }));
  expect(bad.status).toBe(200);
  expect(bad.headers.get("content-type")).toBe("application/json");
  expect(await textOf(bad)).toContain("/b (VAL-001)");
  expect(await textOf(await pair.post(toolCall(2, "add", { a: 1, b: 2 })))).toBe("ran");
  expect(pair.count("tools/call")).toBe(1);
  expect(pair.count("tools/list")).toBe(1);
});

test.each([
  ["of the largest size is validated", 0, "/b (VAL-001)"],
  ["of a byte more is refused", 1, "larger than 200 bytes; raise --max-body"],
])("a call %s", async (_, more, words) => {
  const body = JSON.stringify(toolCall(1, "add", { a: 1 }));
  const pair = await startPair(serveAdd, { maxMessageBytes: 200 });
  const response = await fetch(pair.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: body.padEnd(200 + more),
  });
  expect(await response.text()).toContain(words);
});

test("the gate's own list looks like the call that needs it", async () => {
  const pair = await startPair(serveAdd);
  const call = {
    ...toolCall(1, "add", {}),
    params: { name: "add", arguments: {}, _meta: { progressToken: 1, trace: "kept" } },
  };
  await pair.post(call, {
    authorization: "Bearer x",
    "mcp-session-id": "s",
    "mcp-param-region": "eu",
    "mcp-name": "add",
    "last-event-id": "7",
    "x-tenant": "t",
    "accept-encoding": "identity",
  });
  const [list] = pair.seen;
  expect(list?.message).toMatchObject({
    method: "tools/list",
    params: { _meta: { trace: "kept" } },
  });
  expect(list?.body).not.toContain("progressToken");
  expect(list?.request.headers).toMatchObject({
    authorization: "Bearer x",
    "mcp-session-id": "s",
    "x-tenant": "t",
  });
  for (const name of ["mcp-param-region", "mcp-name", "mcp-method", "last-event-id"])
    expect(list?.request.headers).not.toHaveProperty(name);
});

describe("the gate's own list", () => {
  test("may be answered as a stream with other messages in it", async () => {
    const pair = await startPair((seen, response) => {
      if (seen.message["method"] !== "tools/list") return serveAdd(seen, response);
      const answer = { jsonrpc: "2.0", id: seen.message["id"], result: { tools: [ADD] } };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(': ping\n\nid: 1\ndata:\n\ndata: {"jsonrpc":"2.0","method":"x"}\r\n\r\n');
      response.write(`event: message\nid: 2\ndata: ${JSON.stringify(answer)}\n\n`);
      // And stays open.
    });
    expect(await textOf(await pair.post(toolCall(1, "add", {})))).toContain("VAL-001");
  });

  test.each([
    ["refused", (response: Response0) => response.writeHead(401).end()],
    ["never answered", () => undefined],
    ["broken off", (response: Response0) => response.destroy()],
  ])("that is %s forwards the call", async (_, refuse) => {
    const pair = await startPair(
      (seen, response) => {
        if (seen.message["method"] === "tools/list") refuse(response);
        else serveAdd(seen, response);
      },
      { listTimeoutMs: 200 },
      { listTimeoutMs: 200 },
    );
    expect(await textOf(await pair.post(toolCall(1, "add", {})))).toBe("ran");
  });

  test("is asked for once, however many calls wait for it", async () => {
    const limits = { listTimeoutMs: 100_000 };
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    const pair = await startPair(
      (seen, response) => {
        const isList = seen.message["method"] === "tools/list";
        void (isList ? isLetGo : Promise.resolve()).then(() => serveAdd(seen, response));
      },
      limits,
      { ...limits, clock: () => 0 },
    );
    // Fewer than a server has room for in its queue of new connections, or they come a second later, or never.
    const ids = Array.from({ length: 200 }, (_, id) => id);
    const answers = ids.map(async (id) =>
      textOf(await pair.post(toolCall(id, "add", id % 2 === 0 ? { a: 1, b: 2 } : {}))),
    );
    await expect.poll(() => pair.count("tools/list")).toBe(1);
    letGo();
    const texts = await Promise.all(answers);
    expect(texts.filter((text) => text === "ran")).toHaveLength(100);
    expect(texts.filter((text) => text.includes("VAL-001"))).toHaveLength(100);
    expect(pair.count("tools/list")).toBe(1);
  });

  test("is one per credential, because others may see other tools", async () => {
    const pair = await startPair(serveAdd);
    for (const authorization of ["Bearer a", "Bearer b", "Bearer a"]) {
      await pair.post(toolCall(1, "add", {}), { authorization });
    }
    expect(pair.count("tools/list")).toBe(2);
  });
});

type Response0 = Parameters<typeof serveAdd>[1];

describe("the key that attempts are counted by", () => {
  async function attempts(
    first: Readonly<Record<string, string>>,
    second: Readonly<Record<string, string>>,
    attemptKey: "auto" | "header:X-Agent" | "meta:agent" = "auto",
  ): Promise<string | undefined> {
    const pair = await startPair(serveAdd, { attemptKey }, { coalesceMs: 0 });
    await pair.post(toolCall(1, "add", { a: "1st" }), first);
    const text = await textOf(await pair.post(toolCall(2, "add", { a: "2nd" }), second));
    return /attempt (\d)/.exec(text)?.[1];
  }
  const trace = (digit: string): string => `00-${digit.repeat(32)}-${"1".repeat(16)}-01`;

  test.each([
    ["a session's", { "mcp-session-id": "a" }, { "mcp-session-id": "a" }, "2"],
    ["another session's", { "mcp-session-id": "a" }, { "mcp-session-id": "b" }, "1"],
    ["a user's, without sessions", { authorization: "a" }, { authorization: "a" }, "2"],
    ["another user's", { authorization: "a" }, { authorization: "b" }, "1"],
    ["a trace's", { traceparent: trace("a") }, { traceparent: trace("a") }, "2"],
    ["another trace's", { traceparent: trace("a") }, { traceparent: trace("b") }, "1"],
  ])("%s", async (_, first, second, attempt) => {
    expect(await attempts(first, second)).toBe(attempt);
  });

  test("a header's, if configured", async () => {
    const [one, other] = [{ "x-agent": "1" }, { "x-agent": "2" }];
    expect(await attempts(one, one, "header:X-Agent")).toBe("2");
    expect(await attempts(one, other, "header:X-Agent")).toBe("1");
  });
});

describe("a call that waits for its schema", () => {
  /** A server whose list comes when it is let go. */
  async function slowPair() {
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    const pair = await startPair((seen, response) => {
      const isList = seen.message["method"] === "tools/list";
      void (isList ? isLetGo : Promise.resolve()).then(() => serveAdd(seen, response));
    });
    return { pair, letGo };
  }

  test("and is cancelled in its session never reaches the server and gets no answer", async () => {
    const { pair, letGo } = await slowPair();
    const session = { "mcp-session-id": "s" };
    const call = pair.post(toolCall(7, "add", { a: 1, b: 1 }), session);
    await expect.poll(() => pair.count("tools/list")).toBe(1);
    const cancellation = { method: "notifications/cancelled", params: { requestId: 7 } };
    const accepted = await pair.post({ jsonrpc: "2.0", ...cancellation }, session);
    expect([accepted.status, await accepted.text()]).toEqual([202, ""]);
    letGo();
    expect(await (await call).text()).toBe("");
    expect(pair.count("tools/call")).toBe(0);
  });

  test("and whose client disconnects never reaches the server and is not counted", async () => {
    const { pair, letGo } = await slowPair();
    const leave = new AbortController();
    const call = fetch(pair.url, {
      method: "POST",
      signal: leave.signal,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(toolCall(7, "add", { a: "gone" })),
    });
    await expect.poll(() => pair.count("tools/list")).toBe(1);
    leave.abort();
    await expect(call).rejects.toThrow();
    // The proxy hears of the disconnection before what is sent after it.
    await (await pair.post({ jsonrpc: "2.0", id: 1, method: "ping" })).text();
    letGo();
    expect(await textOf(await pair.post(toolCall(8, "add", { a: 1 })))).toContain("attempt 1/3");
    expect(pair.count("tools/call")).toBe(0);
  });
});

test("list_changed on a session's stream makes the list outdated", async () => {
  let tools: object[] = [ADD];
  let tellNews = (): void => undefined;
  const pair = await startPair((seen: Seen, response) => {
    if (seen.request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      tellNews = () =>
        response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
    } else if (seen.message["method"] === "tools/list") {
      sendJson(response, { jsonrpc: "2.0", id: seen.message["id"], result: { tools } });
    } else serveAdd(seen, response);
  });
  const session = { "mcp-session-id": "s" };
  const leave = new AbortController();
  const stream = await fetch(pair.url, { headers: session, signal: leave.signal });
  expect(await textOf(await pair.post(toolCall(1, "add", {}), session))).toContain("VAL-001");
  tools = [{ name: "add", inputSchema: { type: "object" } }];
  tellNews();
  await stream.body?.getReader().read();
  expect(await textOf(await pair.post(toolCall(2, "add", {}), session))).toBe("ran");
  leave.abort();
});

test("a web page that may connect can read the gate's answer", async () => {
  const pair = await startPair(serveAdd);
  const origin = "http://localhost:6274";
  const answer = await pair.post(toolCall(1, "add", {}), { origin });
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
});
