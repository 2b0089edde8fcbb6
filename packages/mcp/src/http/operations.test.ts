import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { TelemetryApi } from "@toolcontract/core";
import { freePort } from "@toolcontract/free-port";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createGate } from "../gate/index.ts";
import { closePairs, sendJson, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

const SESSION = { "mcp-session-id": "a-session" };
const EVENTS = { "content-type": "text/event-stream" };

interface Log {
  readonly message: string;
  readonly error_type?: unknown;
}

function recorded() {
  const errors: string[] = [];
  const log: Log[] = [];
  const record = (_: number, attributes: Readonly<Record<string, string>>): void => {
    errors.push(attributes["error.type"] ?? "none");
  };
  const own = (name: string): object => ({
    record: name === "mcp.server.operation.duration" ? record : () => undefined,
  });
  const counter = { add: () => undefined };
  const metrics = { getMeter: () => ({ createHistogram: own, createCounter: () => counter }) };
  const options = {
    telemetry: { metrics } as unknown as TelemetryApi,
    toolTimeout: 300,
    logger: (fields: object, message: string) => log.push({ ...fields, message }),
  };
  return { errors, log, options };
}

/** How the server takes a call, by its first argument; the others are answered. */
const WAYS: Readonly<Record<number, (response: ServerResponse, id: unknown) => unknown>> = {
  1: (response) => response.writeHead(404).end("no session"),
  2: (response) => response.writeHead(401).end(),
  3: (response) => response.writeHead(500).end("oops"),
  4: (response) => response.writeHead(502).end(),
  5: ({ req }) => req.socket.destroy(),
  6: (response) => response.writeHead(200, EVENTS).end(": nothing\n\n"),
  7: (response) => response.writeHead(200, EVENTS).end("id: 1\ndata: \n\n"),
  8: () => undefined,
  9: (response, id) => {
    const result = { isError: true, content: [{ type: "text", text: "Say more." }] };
    sendJson(response, { jsonrpc: "2.0", id, result });
  },
  10: (response, id) =>
    response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_602, message: "Bad" } })),
};

test("whatever ends a call, it is an operation and is counted once", async () => {
  const { errors, options } = recorded();
  const pair = await startPair(
    (seen, response) => {
      const { method, id, params } = seen.message as {
        readonly method?: string;
        readonly id?: unknown;
        readonly params?: { readonly arguments?: { readonly a?: unknown } };
      };
      const way = WAYS[Number(params?.arguments?.a)];
      if (method === "tools/call" && way) way(response, id);
      else if (id === undefined) response.writeHead(202).end();
      else serveAdd(seen, response);
    },
    { resumeMs: 50 },
    options,
  );
  const { post, gate } = pair;
  let id = 0;
  const send = async (name: string, args: unknown): Promise<unknown> => {
    id += 1;
    const response = await post(toolCall(id, name, args), SESSION).catch(() => undefined);
    return response?.text().catch(() => "");
  };
  await send("add", { a: 99, b: 1 });
  for (const a of Object.keys(WAYS).map(Number)) {
    await send("add", { a, b: 1 });
    // What servers may accept, and what they do not.
    await send("add", { a: String(a), b: 1 });
  }
  await send("add", {});
  await send("add", { a: {}, b: 1 });
  await send("hidden", { a: 9 });
  await send("hidden", { a: 99 });
  await send("hidden", { a: 10 });
  const given = new AbortController();
  const waiting = fetch(pair.url, {
    method: "POST",
    signal: given.signal,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(toolCall(100, "add", { a: 8, b: 1 })),
  }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  given.abort();
  await waiting;
  const sent = id + 1;
  await vi.waitFor(
    () => {
      const { calls } = gate.contract.metrics();
      const unvalidated = gate.unvalidated().reduce((sum, { count }) => sum + count, 0);
      expect([errors.length, calls + unvalidated]).toEqual([sent, sent]);
    },
    { timeout: 10_000 },
  );
  expect(new Set(errors)).toEqual(
    new Set([
      "none",
      "-32602",
      "http_404",
      "http_401",
      "http_500",
      "http_502",
      "connection_lost",
      "timeout",
      "tool_error",
      "cancelled",
    ]),
  );
});

test("a server that goes and comes back is a line each, and its calls are unreachable", async () => {
  const { errors, log, options } = recorded();
  const port = await freePort();
  const proxy = await startOn(new URL(`http://127.0.0.1:${port}/mcp`), {
    gate: createGate(options),
  });
  const call = async (): Promise<number> => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const body = JSON.stringify(toolCall(1, "add", { a: 1, b: 2 }));
    const url = `http://127.0.0.1:${proxy.port}/mcp`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const lines = (): readonly Log[] => log.filter(({ message }) => message.includes("reached"));
  for (let index = 0; index < 3; index += 1) expect(await call()).toBe(502);
  expect(errors).toEqual(["unreachable", "unreachable", "unreachable"]);
  expect(lines()).toMatchObject([
    { message: "The MCP server cannot be reached", error_type: "ECONNREFUSED" },
  ]);
  const server = createServer((_, response) => {
    sendJson(response, { jsonrpc: "2.0", id: 1, result: { content: [] } });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  for (let index = 0; index < 2; index += 1) expect(await call()).toBe(200);
  server.closeAllConnections();
  expect(lines().slice(1)).toMatchObject([{ message: "The MCP server can be reached again" }]);
});
