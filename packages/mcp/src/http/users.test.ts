import type { IncomingMessage } from "node:http";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { closePairs, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { type ReadingServer, sdkOnExpress, serveOn } from "../testing/reading-servers.ts";
import { INFO, lowLevelV2, type TestTool } from "../testing/test-servers.ts";

const running: ReadingServer[] = [];
afterEach(async () => {
  await closePairs();
  for (const { close } of running.splice(0)) close();
});

/** Each user has a schema of their own, which says who they are. */
function toolsOf(user: string): readonly TestTool[] {
  const inputSchema = {
    type: "object",
    required: [`${user}_field`],
    additionalProperties: false,
    properties: { [`${user}_field`]: { enum: [`${user}-only`] } },
  };
  return [{ name: "order", inputSchema, run: () => ({ text: `ran for ${user}` }) }];
}

const NAMING = [
  "X-User-Id",
  "X-Role",
  "X-Org",
  "X-Jwt",
  "X-Customer",
  "X-Client-Id",
  "X-Subscription-Id",
  "X-Goog-IAP-JWT-Assertion",
  "Accept-Language",
  "User-Agent",
  "Authorization",
  "Cookie",
  "X-Forwarded-For",
];

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

async function post(
  port: number,
  message: object,
  headers: Readonly<Record<string, string>>,
  localAddress = "127.0.0.1",
): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = "/mcp";
    const all = { ...HEADERS, ...headers };
    const sent = httpRequest(
      { host: "127.0.0.1", port, path, method: "POST", headers: all, localAddress },
      (response) => {
        text(response).then(resolve, reject);
      },
    );
    sent.once("error", reject).end(JSON.stringify(message));
  });
}

describe("users of a stateless server on Express with version 1 of the SDK", () => {
  test.each(NAMING)("told apart by %s", async (name) => {
    const userOf = ({ headers }: IncomingMessage): string => {
      const value = headers[name.toLowerCase()];
      return String(value).includes("bob") ? "bob" : "alice";
    };
    const server = await sdkOnExpress((request) => toolsOf(userOf(request)));
    running.push(server);
    const { port } = await startOn(server.url);
    const alice = { [name]: "alice" };
    const bob = { [name]: "bob" };
    await post(port, { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, alice);
    expect(await post(port, toolCall(2, "order", { bob_field: "bob-only" }), bob)).toContain(
      "ran for bob",
    );
    const refused = await post(port, toolCall(3, "order", { alice_field: "alice-only" }), bob);
    expect(refused).toContain("bob-only");
    expect(refused).not.toContain('Expected: "alice');
    expect(await post(port, toolCall(4, "order", {}), alice)).toContain("(attempt 1/3)");
  });

  test("told apart by what --attempt-key names in the message", async () => {
    const server = await sdkOnExpress(() => toolsOf("alice"));
    running.push(server);
    let lists = 0;
    const gate = createGate({ logger: () => undefined, onToolList: () => (lists += 1) });
    const { port } = await startOn(server.url, { gate, attemptKey: "meta:user" });
    for (const user of ["alice", "bob", "alice"]) {
      const params = { name: "order", arguments: {}, _meta: { user } };
      await post(port, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, {});
    }
    expect(lists).toBe(2);
  });

  test("what changes with every request does not tell them apart", async () => {
    const server = await sdkOnExpress(() => toolsOf("alice"));
    running.push(server);
    let lists = 0;
    const gate = createGate({
      logger: () => undefined,
      coalesceMs: 0,
      onToolList: () => (lists += 1),
    });
    const { port } = await startOn(server.url, { gate });
    const attempts: (string | undefined)[] = [];
    for (const n of [1, 2, 3]) {
      const headers = {
        "x-request-id": `${n}`,
        "mcp-name": "order",
        tracestate: `a=${n}`,
        "X-Amzn-Trace-Id": `Root=1-${n}`,
        "X-Forwarded-For": `10.0.0.1:${n}`,
      };
      const answer = await post(port, toolCall(n, "order", { n }), headers);
      attempts.push(/(?:attempt|after) (\d)\/3/.exec(answer)?.[1]);
    }
    expect(attempts).toEqual(["1", "2", "3"]);
    expect(lists).toBe(1);
  });
});

test("users of a stateless server with version 2 of the SDK are told apart", async () => {
  const handler = createMcpHandler(({ requestInfo }) =>
    lowLevelV2(toolsOf(requestInfo?.headers.get("x-user-id") ?? "nobody")),
  );
  const server = await serveOn(toNodeHandler(handler) as never);
  running.push(server);
  const { port } = await startOn(server.url);
  const connect = async (user: string): Promise<Client> => {
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const requestInit = { headers: { "X-User-Id": user } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
    );
    return client;
  };
  const [alice, bob] = [await connect("alice"), await connect("bob")];
  await alice.listTools();
  const good = await bob.callTool({ name: "order", arguments: { bob_field: "bob-only" } });
  expect(JSON.stringify(good)).toContain("ran for bob");
  await Promise.all([alice.close(), bob.close()]);
});

test("a header that is another one with every request is named in the log, once", async () => {
  const entries: object[] = [];
  const pair = await startPair(serveAdd, {}, { logger: (fields) => entries.push(fields) });
  for (let n = 0; n < 50; n += 1)
    await pair.post(toolCall(n, "add", { a: 1, b: 2 }), { "x-span": `${n}` });
  expect(entries.filter((entry) => "header" in entry)).toEqual([
    { level: "warn", package: "mcp", header: "x-span" },
  ]);
});

describe("clients without session and credentials", () => {
  test("are told apart by their address", async () => {
    const pair = await startPair(serveAdd, {}, { coalesceMs: 0 });
    const port = Number(new URL(pair.url).port);
    const attempt = async (a: string, address: string): Promise<string | undefined> => {
      const answer = await post(port, toolCall(1, "add", { a }), {}, address);
      return /((?:attempt|blocked after) \d)\/3/.exec(answer)?.[1];
    };
    for (const a of ["1", "2", "3", "4"]) await attempt(a, "127.0.0.1");
    expect(await attempt("5", "127.0.0.1")).toBe("blocked after 3");
    expect(await attempt("6", "127.0.0.2")).toBe("attempt 1");
  });
});
