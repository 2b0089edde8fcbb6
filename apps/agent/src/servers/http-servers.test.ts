import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test, vi } from "vitest";
import { call, failureOf, start, textOf } from "./testing/programs.ts";

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

async function listen(serve: RequestListener): Promise<string> {
  const http = createServer(serve);
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  closing.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

interface Seen {
  readonly method: string | undefined;
  readonly authorization: string | undefined;
  readonly session: unknown;
}

interface Remote {
  readonly url: string;
  readonly seen: Seen[];
}

const TOOL = {
  name: "who",
  inputSchema: { type: "object", properties: { n: { type: "integer" } } },
};
const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "remote", version: "1" },
  },
  "tools/list": { tools: [TOOL] },
  "tools/call": { content: [{ type: "text", text: "you" }] },
};

/** A server over Streamable HTTP with sessions; `serve` answers before it does, if it answers. */
async function remote(
  serve: (response: ServerResponse, method: string | undefined) => boolean = () => false,
): Promise<Remote> {
  const seen: Seen[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const message = (body === "" ? {} : JSON.parse(body)) as {
      readonly id?: number;
      readonly method?: string;
    };
    const method = message.method ?? request.method;
    const { authorization } = request.headers;
    seen.push({ method, authorization, session: request.headers["mcp-session-id"] });
    if (serve(response, method)) return;
    const result = RESULTS[method ?? ""];
    if (result === undefined) {
      response.writeHead(request.method === "GET" ? 405 : 202).end();
      return;
    }
    response
      .writeHead(200, { "content-type": "application/json", "mcp-session-id": "s-1" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  }
  const url = await listen((request, response) => void answer(request, response));
  return { url, seen };
}

test("every request has the expanded headers, and close ends the session", async () => {
  const { url, seen } = await remote();
  const headersOf = vi.fn(() => ({ Authorization: "Bearer expanded" }));
  const { servers } = await start({ web: { url, toolTimeout: 9 } }, { headersOf });
  expect(headersOf.mock.calls).toEqual([["web"]]);
  expect(textOf(await call(servers, "who"))).toBe("you");
  expect(servers.limits.toolTimeout("who")).toBe(9);
  await servers.close();
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(
    new Set(["Bearer expanded"]),
  );
  expect(seen.at(-1)).toMatchObject({ method: "DELETE", session: "s-1" });
});

test("it is behind a gate", async () => {
  const { url, seen } = await remote();
  const { servers } = await start({ web: { url } });
  expect(textOf(await call(servers, "who", { n: [1] }))).toContain("/n (VAL-002)");
  expect(seen.map(({ method }) => method)).not.toContain("tools/call");
  await servers.close();
});

test("a variable that is missing is thrown as it is, and nothing is started", async () => {
  const { url, seen } = await remote();
  const missing = new Error("TOKEN is not set");
  const states: string[] = [];
  const failure = await failureOf(
    { program: { command: "no-such-command", args: [] }, web: { url } },
    {
      headersOf: () => {
        throw missing;
      },
      onState: (server) => states.push(server),
    },
  );
  expect(failure).toBe(missing);
  expect([seen, states]).toEqual([[], []]);
});

const status =
  (code: number, body = ""): RequestListener =>
  (_, response) =>
    void response.writeHead(code, { "content-type": "text/html" }).end(body);

test.each<[string, RequestListener | string, string]>([
  ["refuses the credentials", status(401), "HTTP 401 Unauthorized"],
  ["has no such address", status(404, "<h1>nothing here</h1>"), "HTTP 404 Not Found"],
  ["fails", status(500, "token=hunter2"), "HTTP 500 Internal Server Error"],
  ["is a web site", status(200, "<h1>Hello</h1>"), "Unexpected content type: text/html"],
  ["hangs up", (request) => void request.destroy(), "it closed the connection"],
  ["has no such host", "http://no-such-host.invalid/mcp", "its host was not found"],
])("one that %s does not start", async (_, serve, reason) => {
  const url = typeof serve === "string" ? serve : await listen(serve);
  expect(await failureOf({ web: { url } })).toMatchObject({
    category: "not-started",
    message: `MCP server "web" did not start: ${reason}.`,
  });
});

test("one that is not there does not start", async () => {
  const http = createServer();
  await once(http.listen(0, "127.0.0.1"), "listening");
  const { port } = http.address() as AddressInfo;
  http.close();
  await once(http, "close");
  expect(await failureOf({ web: { url: `http://127.0.0.1:${port}/mcp` } })).toMatchObject({
    category: "not-started",
    message: 'MCP server "web" did not start: connection refused.',
  });
});

test("one that never answers is given up when the signal aborts", async () => {
  const asked = vi.fn<() => void>();
  const url = await listen(() => asked());
  const ending = new AbortController();
  const starting = failureOf({ web: { url } }, { signal: ending.signal });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  const reason = new Error("the user left");
  ending.abort(reason);
  expect(await starting).toBe(reason);
});

test(
  "one that does not end its session holds nobody up for long",
  { timeout: 20_000 },
  async () => {
    const { url } = await remote((_, method) => method === "DELETE");
    const { servers } = await start({ web: { url } });
    await expect(servers.close()).resolves.toBeUndefined();
  },
);

test("one that breaks in the middle of a run fails its calls with a reason", async () => {
  const { url } = await remote((response, method) => {
    if (method === "tools/call") response.destroy();
    return method === "tools/call";
  });
  const { servers } = await start({ web: { url } });
  await expect(call(servers, "who")).rejects.toThrow(
    'the MCP server "web" cannot be reached: it closed the connection',
  );
  await servers.close();
});
