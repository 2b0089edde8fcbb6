import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectHttp, listTools, type RequestError, withServer } from "./index.ts";

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly session?: string;
  readonly chunks?: readonly string[];
}

interface Received {
  readonly verb: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly message: { readonly id?: number; readonly method?: string };
}

/** A server that answers each request so, and the requests that it received. */
async function serve(answer: (message: Received["message"]) => Answer) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const message = JSON.parse(body || "{}") as Received["message"];
      received.push({ verb: request.method, headers: request.headers, message });
      const { status = 200, type = "application/json", session, chunks = [] } = answer(message);
      response.writeHead(status, {
        "content-type": type,
        ...(session !== undefined && { "mcp-session-id": session }),
      });
      for (const chunk of chunks) response.write(chunk);
      response.end();
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { url, received };
}

const result = { jsonrpc: "2.0", id: 1, result: { a: 1 } };
const STREAM = "text/event-stream";

test.each<[what: string, answer: Answer]>([
  ["JSON", { chunks: [JSON.stringify(result)] }],
  ["an event", { type: STREAM, chunks: [`data: ${JSON.stringify(result)}\n\n`] }],
  [
    "an event that is the last, without an empty line",
    { type: STREAM, chunks: [`data: ${JSON.stringify(result)}`] },
  ],
  [
    "an event with a type",
    {
      type: `${STREAM}; charset=utf-8`,
      chunks: [`event: message\r\ndata:${JSON.stringify(result)}\r\n\r\n`],
    },
  ],
  [
    "an event in pieces",
    {
      type: STREAM,
      chunks: ['data: {"jsonrpc":"2.0",\nda', 'ta: "id":1,"result":{"a":1}}\n', "\n"],
    },
  ],
  [
    "an event after others",
    {
      type: STREAM,
      chunks: [
        ': ping\n\ndata: {"method":"notifications/message"}\n\ndata: {"id":1,"method":"ping"}\n\n',
        `data: {"id":2,"result":{}}\n\ndata: no JSON\n\ndata: ${JSON.stringify(result)}\n\n`,
      ],
    },
  ],
])("a result may be %s", async (_, answer) => {
  const { url } = await serve(() => answer);
  expect(await connectHttp(url, {}).request("tools/list", {})).toEqual({ a: 1 });
});

test.each<[what: string, answer: Answer, message: string]>([
  ["no JSON", { chunks: ["<html>"] }, "it did not answer tools/list"],
  ["a list", { chunks: ["[]"] }, "it did not answer tools/list"],
  ["an empty stream", { type: STREAM }, "it did not answer tools/list"],
  ["a failure", { status: 503 }, "it answered with HTTP 503"],
  [
    "an error",
    { chunks: ['{"id":1,"error":{"code":-32601,"message":"no such method"}}'] },
    "it answered with error -32601: no such method",
  ],
])("what is answered with %s is said", async (_, answer, message) => {
  const { url } = await serve(() => answer);
  await expect(connectHttp(url, {}).request("tools/list", {})).rejects.toThrow(message);
});

test("an error is shortened in a sentence, and whole for a model", async () => {
  const long = "x".repeat(300);
  const { url } = await serve(() => ({
    chunks: [`{"id":1,"error":{"code":1,"message":"${long}"}}`],
  }));
  const thrown = await connectHttp(url, {})
    .request("tools/call", {})
    .catch((error: unknown) => error as RequestError);
  expect(thrown).toMatchObject({
    message: `it answered with error 1: ${"x".repeat(200)}`,
    text: `MCP error 1: ${long}`,
  });
});

test("an address that nobody listens on is said with the reason", async () => {
  const { url } = await serve(() => ({}));
  const free = await new Promise<number>((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
  const nobody = url.replace(/:\d+/, `:${free}`);
  await expect(connectHttp(nobody, {}).request("a", {})).rejects.toThrow(
    /^it cannot be reached \(ECONNREFUSED\)$/,
  );
  await expect(connectHttp("http://", {}).request("a", {})).rejects.toThrow("it cannot be reached");
});

test("a server is greeted, asked page by page in its session, and told the end", async () => {
  const { url, received } = await serve(({ id, method }) => {
    if (id === undefined) return { status: 202 };
    if (method === "initialize") {
      return { session: "s1", chunks: [JSON.stringify({ id, result: {} })] };
    }
    const page = id === 2 ? { tools: [1, 2], nextCursor: "more" } : { tools: [3] };
    return { session: "s2", chunks: [JSON.stringify({ id, result: page })] };
  });
  const connection = connectHttp(url, { authorization: "Bearer t" });
  expect(await withServer(connection, async () => listTools(connection))).toEqual([1, 2, 3]);
  const common = { authorization: "Bearer t" };
  const posted = {
    ...common,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-06-18",
  };
  expect(received).toMatchObject([
    {
      verb: "POST",
      headers: posted,
      message: {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "toolcontract-lint", version: "1" },
        },
      },
    },
    { verb: "POST", message: { method: "notifications/initialized" } },
    { verb: "POST", message: { id: 2, method: "tools/list", params: {} } },
    { verb: "POST", message: { id: 3, method: "tools/list", params: { cursor: "more" } } },
    { verb: "DELETE", headers: { ...common, "mcp-session-id": "s1" }, message: {} },
  ]);
  expect(received.map(({ headers }) => headers["mcp-session-id"])).toEqual([
    undefined,
    "s1",
    "s1",
    "s1",
    "s1",
  ]);
});

test("a server without sessions is not told the end", async () => {
  const { url, received } = await serve(({ id }) => ({
    chunks: [JSON.stringify({ id, result: {} })],
  }));
  const connection = connectHttp(url, {});
  await expect(withServer(connection, async () => listTools(connection))).rejects.toThrow(
    "its answer to tools/list has no tools",
  );
  expect(received.map(({ verb }) => verb)).toEqual(["POST", "POST", "POST"]);
});

test("a server whose pages do not end is asked for a hundred of them", async () => {
  const { url } = await serve(({ id }) => ({
    chunks: [JSON.stringify({ id, result: { tools: [id], nextCursor: "again" } })],
  }));
  expect(await listTools(connectHttp(url, {}))).toHaveLength(100);
});
