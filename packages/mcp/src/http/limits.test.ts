import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client as ClientV2, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpClientV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { createQueues } from "@toolcontract/session";
import { afterEach, describe, expect, test } from "vitest";
import type { GateOptions } from "../gate/index.ts";
import { ADD, closePairs, sendJson, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { INFO } from "../testing/test-servers.ts";
import { createGate } from "../gate/index.ts";
import { createUpstream } from "./upstream.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  await closePairs();
});

const TIMED_OUT = { isError: true, content: [{ type: "text", text: "(tool failed: timeout)" }] };
const LONG = "é€😀".repeat(400);
const CUT = `[TRUNCATED] Original size 3600 bytes; truncated to 101 bytes.\n${"é€😀".repeat(11)}é`;
const SESSION = { "mcp-session-id": "a-session" };

/** What a tool of a real server saw. */
interface Seen {
  cancelled: number;
}

async function run(name: string, signal: AbortSignal, seen: Seen): Promise<string> {
  if (name === "long") return LONG;
  await once(signal, "abort");
  seen.cancelled += 1;
  return "late";
}

const textResult = (text: string): { content: { type: "text"; text: string }[] } => ({
  content: [{ type: "text", text }],
});

/** Starts a server, and the gate before it; returns the client's URL. */
async function proxied(
  serve: Parameters<typeof createServer>[1],
  options: GateOptions,
): Promise<URL> {
  const http = createServer(serve).listen(0, "127.0.0.1");
  await once(http, "listening");
  closing.push(
    () => http.closeAllConnections(),
    () => http.close(),
  );
  const upstream = createUpstream(
    new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
  );
  const gate = createGate({ logger: false, ...options } as GateOptions);
  const proxy = await startOn(upstream.url, { gate, upstream });
  return new URL(`http://127.0.0.1:${proxy.port}/mcp`);
}

const sessions =
  (enableJsonResponse: boolean) =>
  async (seen: Seen, options: GateOptions): Promise<ClientV1> => {
    const server = new McpServerV1(INFO);
    for (const name of ["hang", "long"]) {
      server.registerTool(name, {}, async ({ signal }) =>
        textResult(await run(name, signal, seen)),
      );
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => "a-session-id",
      enableJsonResponse,
    });
    await server.connect(transport);
    const url = await proxied(
      (request, response) => void transport.handleRequest(request, response),
      options,
    );
    const client = new ClientV1(INFO);
    await client.connect(new HttpClientV1(url));
    closing.push(async () => client.close());
    return client;
  };

async function stateless(seen: Seen, options: GateOptions): Promise<ClientV1> {
  const handler = createMcpHandler(() => {
    const server = new McpServerV2(INFO);
    for (const name of ["hang", "long"]) {
      server.registerTool(name, {}, async ({ mcpReq }) =>
        textResult(await run(name, mcpReq.signal, seen)),
      );
    }
    return server;
  });
  const serve = toNodeHandler(handler);
  const url = await proxied(
    (request, response) => void serve(request as NodeIncomingMessageLike, response),
    options,
  );
  const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(url));
  closing.push(async () => client.close());
  return client as unknown as ClientV1;
}

describe.each([
  ["a server with sessions and streams", sessions(false)],
  ["a server with sessions and JSON", sessions(true)],
  ["a stateless server", stateless],
])("%s", (_, connect) => {
  test("a call over its time is answered, and cancelled at the server", async () => {
    const seen: Seen = { cancelled: 0 };
    const client = await connect(seen, { toolTimeout: 100 });
    const result = await client.callTool({ name: "hang", arguments: {} });
    expect(result).toMatchObject(TIMED_OUT);
    await expect.poll(() => seen.cancelled).toBe(1);
    expect((await client.listTools()).tools).toHaveLength(2);
  });

  test("a result over its limit is cut", async () => {
    const client = await connect({ cancelled: 0 }, { toolResponseMaxBytes: 101 });
    expect(await client.callTool({ name: "long", arguments: {} })).toMatchObject(textResult(CUT));
  });

  test("calls of a queue run one after the other", async () => {
    const queues = createQueues({ slow: { concurrent: 1 } });
    const limits = { toolTimeout: 50, queues, queueOf: { hang: "slow" } };
    const seen: Seen = { cancelled: 0 };
    const client = await connect(seen, limits);
    const calls = [1, 2, 3].map(async () => client.callTool({ name: "hang", arguments: {} }));
    await expect.poll(() => queues.depth("slow")).toEqual({ running: 1, waiting: 2 });
    expect(await Promise.all(calls)).toMatchObject([TIMED_OUT, TIMED_OUT, TIMED_OUT]);
    expect(queues.depth("slow")).toEqual({ running: 0, waiting: 0 });
  });
});

describe("a place in a queue is given back", () => {
  const slow = () => {
    const queues = createQueues({ slow: { concurrent: 1 } });
    return { queues, limits: { queues, queueOf: { add: "slow" } } };
  };
  const free = { running: 0, waiting: 0 };

  test.each([
    ["an answer", 200],
    ["a status without a response", 404],
    ["a failure of the server", 500],
  ])("after %s", async (_, status) => {
    const { queues, limits } = slow();
    const pair = await startPair(
      (seen, response) => {
        if (seen.message["method"] !== "tools/call" || status === 200) serveAdd(seen, response);
        else response.writeHead(status, { "content-type": "application/json" }).end("{}");
      },
      {},
      limits,
    );
    const response = await pair.post(toolCall(1, "add", { a: 1, b: 2 }), SESSION);
    await response.text();
    expect(response.status).toBe(status);
    await expect.poll(() => queues.depth("slow")).toEqual(free);
  });

  test.each([
    ["breaks off", true],
    ["never begins to answer", false],
  ])("if the client leaves, or the server %s", async (_, breaks) => {
    const { queues, limits } = slow();
    const pair = await startPair(
      (seen, response) => {
        if (seen.message["method"] !== "tools/call") serveAdd(seen, response);
        else if (breaks) response.destroy();
      },
      {},
      limits,
    );
    const leaving = new AbortController();
    const call = fetch(pair.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...SESSION },
      body: JSON.stringify(toolCall(1, "add", { a: 1, b: 2 })),
      signal: leaving.signal,
    });
    await expect.poll(() => pair.count("tools/call")).toBe(1);
    if (!breaks) leaving.abort();
    await call.catch(() => undefined);
    await expect.poll(() => queues.depth("slow")).toEqual(free);
  });
});

describe("a response that had begun", () => {
  test("as a stream ends with the answer to the call over its time", async () => {
    const pair = await startPair(
      (seen, response) => {
        if (seen.message["method"] !== "tools/call") return serveAdd(seen, response);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n');
      },
      {},
      { toolTimeout: 100 },
    );
    const response = await pair.post(toolCall(1, "add", { a: 1, b: 2 }));
    const text = await response.text();
    expect(text).toContain("notifications/progress");
    const events = text.split("\n").filter((line) => line.startsWith("data: "));
    expect(JSON.parse(events.at(-1)?.slice(6) ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: TIMED_OUT,
    });
  });

  test("as JSON is dropped", async () => {
    const pair = await startPair(
      (seen, response) => {
        if (seen.message["method"] !== "tools/call") return serveAdd(seen, response);
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"jsonrpc":"2.0","id":1,');
      },
      {},
      { toolTimeout: 100 },
    );
    const response = await pair.post(toolCall(1, "add", { a: 1, b: 2 }), SESSION);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: TIMED_OUT });
    await expect.poll(() => pair.count("notifications/cancelled")).toBe(1);
    const cancel = pair.seen.find(({ message }) => message["method"] === "notifications/cancelled");
    expect(cancel?.request.headers).toMatchObject(SESSION);
  });
});

test.each([
  ["JSON", "application/json", (text: string) => text],
  ["a stream", "text/event-stream", (text: string) => `data: ${text}\n\n`],
])("a result over the limit of messages is cut too, as %s", async (_, type, frame) => {
  const pair = await startPair(
    (seen, response) => {
      if (seen.message["method"] !== "tools/call") return serveAdd(seen, response);
      const result = textResult("x".repeat(100_000));
      response.writeHead(200, { "content-type": type });
      response.end(frame(JSON.stringify({ jsonrpc: "2.0", id: 1, result })));
    },
    { maxMessageBytes: 1_000, maxResultBytes: 1_000_000 },
    { toolResponseMaxBytes: 4 },
  );
  const response = await pair.post(toolCall(1, "add", { a: 1, b: 2 }));
  const text = "[TRUNCATED] Original size 100000 bytes; truncated to 4 bytes.\nxxxx";
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, result: textResult(text) });
  expect((await response.text()).trim()).toBe(frame(message).trim());
});

test("without a limit nothing is waited for", async () => {
  const pair = await startPair((seen, response) => {
    const result = seen.message["method"] === "tools/list" ? { tools: [ADD] } : textResult(LONG);
    sendJson(response, { jsonrpc: "2.0", id: seen.message["id"], result });
  });
  const response = await pair.post(toolCall(1, "add", { a: 1, b: 2 }));
  expect(await response.json()).toMatchObject({ result: textResult(LONG) });
});
