import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connect, listTools, overHttp, RequestError, ServerError } from "./index.ts";

const CLIENT = { name: "shop-client", version: "2" };
const MINUTE = 60_000;
const STREAM = { "content-type": "text/event-stream" };
const METHOD_NOT_FOUND = { error: { code: -32_601, message: "Method not found" } };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly cursor?: string };
}

interface Seen {
  readonly verb: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly message: Message;
}

/** A server that answers each request so, and the requests that it received. */
async function serve(answer: (message: Message, response: ServerResponse) => unknown) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const message = JSON.parse(body || "{}") as Message;
      seen.push({ verb: request.method, headers: request.headers, message });
      answer(message, response);
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), seen };
}

function send(response: ServerResponse, message: object): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(message));
}

/** What a request is answered with by a server that answers everything so. */
async function resultFrom(
  write: (response: ServerResponse) => unknown,
  answerMs = MINUTE,
): Promise<unknown> {
  const { url } = await serve((_, response) => write(response));
  return overHttp(url, [], answerMs).request("tools/list", {});
}

test("a session is opened, read to the last page, and ended", async () => {
  const { url, seen } = await serve(({ id, method, params }, response) => {
    if (method === undefined) return response.writeHead(204).end();
    if (id === undefined) return response.writeHead(202).end();
    if (method === "initialize") {
      response.setHeader("mcp-session-id", "s1");
      const serverInfo = { name: "shop", version: "2.1" };
      return send(response, { id, result: { protocolVersion: "2025-06-18", serverInfo } });
    }
    const page =
      params?.cursor === undefined ? { tools: [1, 2], nextCursor: "more" } : { tools: [3] };
    return send(response, { id, result: page });
  });
  const transport = overHttp(url, [["Authorization", "Bearer x"]], MINUTE);
  const listed = await connect(transport, CLIENT, async (server) => ({
    name: server.name,
    tools: await listTools(server),
  }));
  expect(listed).toEqual({ name: "shop 2.1", tools: [1, 2, 3] });
  const common = { authorization: "Bearer x", "mcp-session-id": "s1" };
  expect(seen).toMatchObject([
    {
      verb: "POST",
      headers: { authorization: "Bearer x", accept: "application/json, text/event-stream" },
      message: {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT },
      },
    },
    {
      headers: { ...common, "mcp-protocol-version": "2025-06-18" },
      message: { method: "notifications/initialized" },
    },
    { headers: { ...common, "mcp-method": "tools/list" }, message: { id: 2, params: {} } },
    { headers: common, message: { id: 3, params: { cursor: "more" } } },
    { verb: "DELETE", headers: common },
  ]);
  expect(seen).toHaveLength(5);
});

test("a stateless server is asked without a session, and its calls carry what it needs", async () => {
  const { url, seen } = await serve(({ id, method }, response) => {
    if (method === "initialize") return send(response, { id, ...METHOD_NOT_FOUND });
    const result = method === "tools/list" ? { tools: [{ name: "a" }] } : { content: [] };
    return send(response, { id, result });
  });
  const used = await connect(overHttp(url, [], MINUTE), CLIENT, async (server) => [
    await listTools(server),
    await server.request("tools/call", { name: "a" }),
  ]);
  expect(used).toEqual([[{ name: "a" }], { content: [] }]);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  expect(seen.map(({ message }) => [message.method, message.params])).toEqual([
    ["initialize", expect.anything()],
    ["tools/list", { _meta }],
    ["tools/call", { name: "a", _meta }],
  ]);
  expect(seen[1]?.headers).toMatchObject({ "mcp-protocol-version": "2026-07-28" });
});

const answer = { jsonrpc: "2.0", id: 1, result: { a: 1 } };
const text = JSON.stringify(answer);

test.each<[what: string, headers: Readonly<Record<string, string>>, chunks: readonly string[]]>([
  ["JSON", {}, [text]],
  ["an event", STREAM, [`data: ${text}\n\n`]],
  ["an event that is the last, without an empty line", STREAM, [`data: ${text}`]],
  [
    "an event with a type",
    { "content-type": "text/event-stream; charset=utf-8" },
    [`event: message\r\ndata:${text}\r\n\r\n`],
  ],
  [
    "an event in pieces",
    STREAM,
    ['data: {"jsonrpc":"2.0",\nda', 'ta: "id":1,"result":{"a":1}}\n', "\n"],
  ],
  [
    "an event after others",
    STREAM,
    [
      ': ping\n\ndata: {"method":"notifications/message"}\n\ndata: {"id":1,"method":"ping"}\n\n',
      `data: {"id":2,"result":{}}\n\ndata: not JSON\n\ndata: ${text}\n\n`,
    ],
  ],
])("a result may be %s", async (_, headers, chunks) => {
  const result = await resultFrom((response) => {
    response.writeHead(200, headers);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
  expect(result).toMatchObject({ result: { a: 1 } });
});

test.each<
  [
    what: string,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    words: RegExp,
  ]
>([
  ["wants credentials", 401, {}, "", /^it answered with status 401: pass what it wants/],
  ["forbids it", 403, {}, "", /^it answered with status 403: pass what it wants/],
  ["is not an MCP server", 404, {}, "<html>", /^it answered tools\/list with status 404 and no m/],
  ["answers with a list", 200, {}, "[]", /^it answered tools\/list with status 200 and no message/],
  ["streams nothing", 204, STREAM, "", /status 204 and no message/],
  ["streams no answer", 200, STREAM, "data: {}\n\n", /status 200 and no message/],
  [
    "redirects to another host",
    307,
    { location: "http://127.0.0.1:1/mcp" },
    "",
    /^it redirects to http:\/\/127\.0\.0\.1:1\/mcp, which is not followed/,
  ],
])("a server that %s is not read", async (_, status, headers, body, words) => {
  const reading = resultFrom((response) => response.writeHead(status, headers).end(body));
  await expect(reading).rejects.toThrow(ServerError);
  await expect(reading).rejects.toThrow(words);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ["never answers", () => undefined],
  ["never ends its answer", (response) => response.writeHead(200).write("{")],
  ["never ends its stream", (response) => response.writeHead(200, STREAM).write(": ping\n\n")],
])("a server that %s is not waited for", async (_, write) => {
  await expect(resultFrom(write, 20)).rejects.toThrow(
    new ServerError("it did not answer tools/list within 0.02 s"),
  );
});

test("an address that nobody listens on is reported with the reason", async () => {
  const reached = overHttp(new URL("http://127.0.0.1:2/mcp"), [], MINUTE);
  await expect(reached.request("a", {})).rejects.toThrow("no connection (ECONNREFUSED)");
});

test("credentials in the URL are not sent", async () => {
  const { url, seen } = await serve(({ id }, response) => send(response, { id, result: {} }));
  [url.username, url.password] = ["user", "hunter2"];
  await overHttp(url, [], MINUTE).request("a", {});
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

test.each<[string, object, RegExp]>([
  ["that is not a list", { result: { tools: {} } }, /^its answer to tools\/list has no tools$/],
  [
    "without an end",
    { result: { tools: [], nextCursor: "again" } },
    /^its list of tools has no end/,
  ],
  ["that fails", METHOD_NOT_FOUND, /^it answered with error -32601: Method not found$/],
])("a list of tools %s is refused", async (_, listed, words) => {
  const { url } = await serve(({ id, method }, response) =>
    send(response, { id, ...(method === "initialize" ? { result: {} } : listed) }),
  );
  const listing = connect(overHttp(url, [], MINUTE), CLIENT, listTools);
  await expect(listing).rejects.toThrow(words);
});

test("an error of a server is shortened in a sentence, and whole for a model", () => {
  const message = "x".repeat(300);
  expect(new RequestError({ code: 1, message })).toMatchObject({
    message: `it answered with error 1: ${"x".repeat(200)}`,
    text: `MCP error 1: ${message}`,
  });
});
