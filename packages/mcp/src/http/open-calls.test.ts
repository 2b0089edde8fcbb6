import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryEventStore } from "@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger } from "@toolcontract/guardrails";
import { createQueues } from "@toolcontract/session";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createGate, type GateOptions } from "../gate/index.ts";
import {
  closePairs,
  type HttpPair,
  sendJson,
  serveAdd,
  startOn,
  startPair,
} from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { INFO } from "../testing/test-servers.ts";
import type { ListeningProxy } from "./proxy.ts";

afterEach(closePairs);

const SESSION = { "mcp-session-id": "a-session" };
const EVENTS = { "content-type": "text/event-stream" };
const ID = 5;
const CALL = toolCall(ID, "add", { a: 1, b: 2 });
const EARLY = "id: 7\nretry: 1\ndata: \n\n";

function answerTo(id: unknown, text = "late"): string {
  const message = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } };
  return `id: 8\ndata: ${JSON.stringify(message)}\n\n`;
}

type Resume = (response: ServerResponse) => void;

/** A server that ends the stream of call 5 early; `answerResumed` answers the client that resumes it. */
async function start(
  answerResumed: Resume,
  gate: GateOptions,
  { first = EARLY, resumeMs = 100 } = {},
): Promise<HttpPair> {
  return startPair(
    ({ request, message }, response) => {
      if (request.method === "DELETE") response.writeHead(200).end();
      else if (request.method === "GET") answerResumed(response);
      else if (message["id"] === ID) response.writeHead(200, EVENTS).end(first);
      else if (message["method"] === undefined || message["id"] === undefined)
        response.writeHead(202).end();
      else serveAdd({ request, message, body: "" }, response);
    },
    { resumeMs },
    gate,
  );
}

async function resume({ url }: HttpPair, lastEventId = "7"): Promise<Response> {
  return fetch(url, {
    headers: { ...SESSION, accept: "text/event-stream", "last-event-id": lastEventId },
  });
}

const queued = (): GateOptions => ({ queues: createQueues({ default: { concurrent: 1 } }) });

const open: Resume = (response) => {
  response.writeHead(200, EVENTS).write(": open\n\n");
};

describe("a call whose stream ends early gives its place back", () => {
  test.each<[string, Resume, (pair: HttpPair) => unknown]>([
    ["when its client does not come back", open, () => undefined],
    [
      "when the server resumes no streams",
      (response) => response.writeHead(405).end(),
      async (pair) => resume(pair),
    ],
    [
      "when the resumed stream is empty",
      (response) => response.writeHead(200, EVENTS).end(),
      async (pair) => (await resume(pair)).text(),
    ],
    [
      "when the resumed stream breaks",
      (response) => {
        response.writeHead(200, EVENTS).write(": open\n\n");
        setTimeout(() => response.destroy(), 20);
      },
      async (pair) => (await resume(pair)).text().catch(() => ""),
    ],
    [
      "when the client resumes it and is gone",
      open,
      async ({ url }) => {
        const ending = new AbortController();
        const headers = { ...SESSION, accept: "text/event-stream", "last-event-id": "7" };
        const response = await fetch(url, { headers, signal: ending.signal });
        ending.abort();
        await response.text().catch(() => "");
      },
    ],
    [
      "when the resumed stream brings the answer",
      (response) => response.writeHead(200, EVENTS).end(answerTo(5)),
      async (pair) => (await resume(pair)).text(),
    ],
    [
      "when the client cancels it",
      open,
      async ({ post }) =>
        post(
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } },
          SESSION,
        ),
    ],
    [
      "when the client ends its session",
      open,
      async ({ url }) => fetch(url, { method: "DELETE", headers: SESSION }),
    ],
  ])("%s", async (_, onResume, then) => {
    const pair = await start(onResume, queued());
    expect(await (await pair.post(CALL, SESSION)).text()).toBe(EARLY);
    await then(pair);
    const other = await pair.post(toolCall(6, "add", { a: 1, b: 2 }), { "mcp-session-id": "b" });
    expect(await other.text()).toContain("ran");
  });

  test("at once when the server resumes nothing, or has forgotten the session", async () => {
    for (const status of [404, 405]) {
      const pair = await start((response) => response.writeHead(status).end(), queued(), {
        resumeMs: 3_600_000,
      });
      await (await pair.post(CALL, SESSION)).text();
      expect((await resume(pair)).status).toBe(status);
      const other = await pair.post(toolCall(6, "add", { a: 1, b: 2 }), { "mcp-session-id": "b" });
      expect(await other.text()).toContain("ran");
    }
  });

  test("and keeps it while a resumed stream is open", async () => {
    let resumed: ServerResponse | undefined;
    const pair = await start(
      (response) => {
        resumed = response;
        open(response);
      },
      queued(),
      { resumeMs: 1_000 },
    );
    await (await pair.post(CALL, SESSION)).text();
    const stream = await resume(pair);
    const other = pair.post(toolCall(6, "add", { a: 1, b: 2 }), { "mcp-session-id": "b" });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(pair.count("tools/call")).toBe(1);
    resumed?.end(answerTo(5));
    expect(await stream.text()).toContain("late");
    expect(await (await other).text()).toContain("ran");
  });

  test("not while another stream of the session is resumed", async () => {
    const pair = await start(open, queued());
    await (await pair.post(CALL, SESSION)).text();
    await resume(pair, "of another stream");
    const other = await pair.post(toolCall(6, "add", { a: 1, b: 2 }), { "mcp-session-id": "b" });
    expect(await other.text()).toContain("ran");
  });
});

describe("a call over its time", () => {
  const late: GateOptions = { toolTimeout: 80 };

  test("is answered on the stream that the client has resumed", async () => {
    const pair = await start(open, late, { resumeMs: 60_000 });
    expect(await (await pair.post(CALL, SESSION)).text()).toBe(EARLY);
    const text = await (await resume(pair)).text();
    expect(text.match(/"id":5/g)).toHaveLength(1);
    expect(text).toContain("(tool failed: timeout)");
  });

  test("is answered when the client resumes the stream after that", async () => {
    const pair = await start(open, late, { resumeMs: 60_000 });
    await (await pair.post(CALL, SESSION)).text();
    await vi.waitFor(() => expect(pair.gate.limits()?.timedOut).toBe(1), 10_000);
    expect(await (await resume(pair)).text()).toContain("(tool failed: timeout)");
  });

  test("gets the late answer if it had none", async () => {
    const pair = await start((response) => response.writeHead(200, EVENTS).end(answerTo(5)), late, {
      resumeMs: 100,
    });
    await (await pair.post(CALL, SESSION)).text();
    await vi.waitFor(() => expect(pair.gate.limits()?.timedOut).toBe(1), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await (await resume(pair)).text()).toContain("late");
  });
});

test.each([
  ["1", async (url: URL) => connected(new ClientV1(INFO), new TransportV1(url))],
  ["2", async (url: URL) => connected(new ClientV2(INFO), new TransportV2(url))],
])(
  "version %s of the SDK gets one answer to a call whose stream its server closes",
  async (_, connect) => {
    for (const [toolTimeout, text] of [
      [300, "(tool failed: timeout)"],
      [60_000, "trained"],
    ] as const) {
      const server = new McpServer(INFO);
      server.registerTool("train", {}, async ({ closeSSEStream }) => {
        closeSSEStream?.();
        await new Promise((resolve) => setTimeout(resolve, 900));
        return { content: [{ type: "text", text: "trained" }] };
      });
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => "a-session",
        eventStore: new InMemoryEventStore(),
        retryInterval: 50,
      });
      await server.connect(transport);
      const http = createServer(
        (request, response) => void transport.handleRequest(request, response),
      );
      http.listen(0, "127.0.0.1");
      await once(http, "listening");
      onTestFinished(() => {
        http.close();
        http.closeAllConnections();
      });
      const { port } = http.address() as AddressInfo;
      const gate = createGate({ logger: () => undefined, toolTimeout });
      const proxy = await startOn(new URL(`http://127.0.0.1:${port}/mcp`), { gate });
      const call = await connect(new URL(`http://127.0.0.1:${proxy.port}/mcp`));
      expect(await call()).toMatchObject({ content: [{ type: "text", text }] });
    }
  },
);

/** Connects a client; returns what calls the tool. */
async function connected(
  client: ClientV1 | ClientV2,
  transport: unknown,
): Promise<() => Promise<unknown>> {
  await (client as ClientV1).connect(transport as Transport);
  onTestFinished(async () => client.close());
  return async () => (client as ClientV1).callTool({ name: "train", arguments: {} });
}

test("a stage hears that nobody knows the outcome once its client does not come back", async () => {
  const ledger = memoryLedger();
  const guardrails = createGuardrails({
    guardrails: [],
    ledger,
    effects: { add: "irreversible" },
    limits: { calls: { max: 5 } },
    spends: { add: () => ({ calls: 1 }) },
  });
  const pair = await start(open, {
    contract: createContract({ logger: () => undefined, guardrails }),
  });
  await (await pair.post(CALL, SESSION)).text();
  const again = async (): Promise<string> =>
    (await pair.post(toolCall(6, "add", { a: 1, b: 2 }), SESSION)).text();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await again()).toContain("Do not call");
});

describe("the end of the proxy", () => {
  async function resumed(onResume: Resume): Promise<[Response, ListeningProxy]> {
    const pair = await start(onResume, {});
    const gate = createGate({ logger: () => undefined, toolTimeout: 60_000 });
    const proxy = await startOn(new URL(pair.url), { gate });
    const url = `http://127.0.0.1:${proxy.port}/mcp`;
    const accept = { accept: "application/json, text/event-stream" };
    const json = { ...SESSION, ...accept, "content-type": "application/json" };
    await (await fetch(url, { method: "POST", headers: json, body: JSON.stringify(CALL) })).text();
    return [await resume({ ...pair, url }), proxy];
  }

  test("waits for the answer on a resumed stream", async () => {
    let end: (text: string) => void = () => undefined;
    const [stream, proxy] = await resumed((response) => {
      open(response);
      end = (text) => void response.end(text);
    });
    const order: string[] = [];
    const drained = proxy.drain(60_000).then(() => order.push("drained"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push("answered");
    end(answerTo(5));
    expect(await stream.text()).toContain("late");
    await drained;
    expect(order).toEqual(["answered", "drained"]);
  });

  test("says there that the outcome is unknown", async () => {
    const [stream, proxy] = await resumed(open);
    await proxy.close();
    expect(await stream.text()).toContain("it may have run");
  });
});

test("an id that is used anew is another call", async () => {
  let calls = 0;
  const pair = await startPair(
    ({ request, message, body }, response) => {
      if (request.method === "GET") open(response);
      else if (message["method"] === "tools/call" && (calls += 1) === 1)
        response.writeHead(200, EVENTS).end(EARLY);
      else if (message["method"] === "tools/call")
        setTimeout(
          () => sendJson(response, { jsonrpc: "2.0", id: 5, result: { content: [] } }),
          300,
        );
      else serveAdd({ request, message, body }, response);
    },
    { resumeMs: 50 },
    { toolTimeout: 60_000 },
  );
  await (await pair.post(CALL, SESSION)).text();
  expect(await (await pair.post(CALL, SESSION)).json()).toMatchObject({ result: { content: [] } });
});
