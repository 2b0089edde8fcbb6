import { createServer, type ServerResponse } from "node:http";
import { createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger, type Effect } from "@toolcontract/guardrails";
import { afterEach, describe, expect, test } from "vitest";
import {
  closePairs,
  type HttpPair,
  type Seen,
  sendJson,
  startOn,
  startPair,
} from "../testing/http-proxy.ts";
import { textOf, toolCall } from "../testing/gated-server.ts";
import { createGate, type GateOptions } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";

afterEach(closePairs);

const SESSION = { "mcp-session-id": "a-session" };
const ORDER = { name: "order", inputSchema: { type: "object" } };
const PROGRESS = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}';
const EVENTS = { "content-type": "text/event-stream" };
const JSON_BODY = { "content-type": "application/json" };

type Lose = (response: ServerResponse, seen: Seen) => void;

/** Writes a part of a response, and closes the connection a moment later. */
function half(headers: Readonly<Record<string, string>>, part: string): Lose {
  return (response) => {
    response.writeHead(200, headers).write(part);
    setTimeout(() => response.destroy(), 30);
  };
}

const whole =
  (status: number, headers: Readonly<Record<string, string>>, body = ""): Lose =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** The tool has run; this is what comes instead of its answer. */
const LOST: readonly (readonly [how: string, lose: Lose])[] = [
  ["the connection is reset", ({ req }) => req.socket.resetAndDestroy()],
  ["the connection is closed", ({ req }) => req.socket.end()],
  ["a head without a body, then a reset", half(JSON_BODY, "")],
  ["half of a body, then a reset", half(JSON_BODY, ANSWER.slice(0, 20))],
  ["half of a body that ends", whole(200, JSON_BODY, ANSWER.slice(0, 20))],
  ["an empty body", whole(200, JSON_BODY)],
  ["the answer to another call", whole(200, JSON_BODY, ANSWER.replace('"id":1', '"id":2'))],
  ["a page of a portal", whole(200, { "content-type": "text/html" }, "<p>log in</p>")],
  ["nothing", whole(204, {})],
  ["a gateway's 502", whole(502, { "content-type": "text/html" }, "<h1>Bad gateway</h1>")],
  ["a gateway's 503", whole(503, { "content-type": "text/plain", "retry-after": "7" }, "busy")],
  ["a gateway's 504", whole(504, {}, "upstream request timeout")],
  ["a gateway's 504 in JSON", whole(504, JSON_BODY, '{"message":"Endpoint request timed out"}')],
  ["a 500 without a message", whole(500, JSON_BODY, "{}")],
  ["a coded 503", whole(503, { "content-encoding": "gzip" }, "\x1f\x8b")],
  ["a 524", whole(524, {}, "error code: 524")],
  ["a 408", whole(408, {}, "slow")],
  ["a stream without events", whole(200, EVENTS, ": open\n\n")],
  ["a stream with progress alone", whole(200, EVENTS, PROGRESS)],
  ["half an event", whole(200, EVENTS, `data: ${ANSWER.slice(0, 20)}`)],
  ["half an event, then a reset", half(EVENTS, `${PROGRESS}data: ${ANSWER.slice(0, 20)}`)],
  ["a stream that breaks", half(EVENTS, PROGRESS)],
];

function options(effect: Effect | undefined): GateOptions {
  if (effect === undefined) return {};
  const guardrails = createGuardrails({ guardrails: [], effects: { order: effect } });
  return { contract: createContract({ logger: () => undefined, guardrails }) };
}

async function start(lose: Lose, gate: GateOptions): Promise<HttpPair> {
  return startPair(
    (seen, response) => {
      const { id, method } = seen.message;
      if (method === "tools/call") lose(response, seen);
      else if (method === "tools/list") {
        sendJson(response, { jsonrpc: "2.0", id, result: { tools: [ORDER] } });
      } else response.writeHead(405).end();
    },
    {},
    gate,
  );
}

/** Calls the tool, and gives the answer as a client reads it. */
async function call(
  { post }: Pick<HttpPair, "post">,
  id: number,
  headers: Readonly<Record<string, string>> = SESSION,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await post(toolCall(id, "order", {}), headers);
  const body = await response.text();
  const events = [...body.matchAll(/^data: ?(\{.*\})$/gm)].map(([, data]) => data ?? "");
  const messages = [body, ...events].flatMap((text) => {
    try {
      return [JSON.parse(text) as Message];
    } catch {
      return [];
    }
  });
  const answers = messages.filter((message) => message["id"] === id);
  expect(answers).toHaveLength(1);
  return { status: response.status, text: textOf(answers[0]) };
}

/** Calls the tool, whatever comes of it. */
async function sent(
  { url }: Pick<HttpPair, "url">,
  id: number,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = SESSION,
): Promise<string> {
  const request = {
    method: "POST",
    body: JSON.stringify(toolCall(id, "order", {})),
    headers: { ...JSON_BODY, accept: "application/json, text/event-stream", ...headers },
    ...(signal && { signal }),
  };
  return fetch(url, request)
    .then(async (response) => response.text())
    .catch(() => "");
}

describe.each([
  ["in a session", SESSION],
  ["without a session", {}],
])("an irreversible tool whose answer is lost does not run again, %s", (_, headers) => {
  test.each(LOST)("%s", async (__, lose) => {
    const pair = await start(lose, options("irreversible"));
    const first = await call(pair, 1, headers);
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining("(GRD-006)") });
    expect(first.text).not.toContain("could not be reached");
    expect((await call(pair, 2, headers)).text).toContain("Do not call 'order' again");
    expect(pair.count("tools/call")).toBe(1);
  });
});

describe("a tool whose effect may be repeated keeps its place", () => {
  test.each(LOST)("%s", async (_, lose) => {
    const pair = await start(lose, options("idempotent"));
    for (const id of [1, 2]) await sent(pair, id);
    expect(pair.count("tools/call")).toBe(2);
  });
});

describe("without a contract over what tools do", () => {
  const UNKNOWN = "so the outcome of this call is unknown: it may have run.";

  test.each<[string, Lose, number, string]>([
    [
      "a reset",
      ({ req }) => req.socket.resetAndDestroy(),
      502,
      "The connection to the MCP server broke before it answered (ECONNRESET)",
    ],
    [
      "a gateway's 503",
      whole(503, {}, "busy"),
      503,
      "The MCP server answered with status 503 and no message",
    ],
    [
      "a gateway's page",
      whole(502, { "content-type": "text/html" }, "<h1>"),
      502,
      "The MCP server answered with status 502 and no message",
    ],
  ])("%s: the words say that the call may have run", async (_, lose, status, words) => {
    const pair = await start(lose, {});
    const answer = await call(pair, 1);
    expect(answer).toEqual({
      status,
      text: `${words}, ${UNKNOWN} Check before you repeat the call.`,
    });
  });

  test("a gateway's headers stay", async () => {
    const pair = await start(
      whole(503, { "retry-after": "7", "content-type": "text/html" }, "<p>"),
      {},
    );
    const { headers } = await pair.post(toolCall(1, "order", {}), SESSION);
    expect(headers.get("retry-after")).toBe("7");
    expect(headers.get("content-type")).toBe("application/json");
  });

  test.each<[string, Lose]>([
    [
      "an error of the server, with any status",
      whole(500, JSON_BODY, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'),
    ],
    ["a stream that ends", whole(200, EVENTS, PROGRESS)],
    ["what is not JSON", whole(200, { "content-type": "text/html" }, "<p>log in</p>")],
    ["a refusal", whole(429, { "content-type": "text/plain" }, "slow down")],
  ])("%s is relayed as it is", async (_, lose) => {
    const pair = await start(lose, {});
    const bare = createServer((request, response) =>
      lose(response, { request, body: "", message: {} }),
    );
    await new Promise<void>((resolve) => {
      bare.listen(0, "127.0.0.1", resolve);
    });
    const { port } = bare.address() as { port: number };
    const direct = await fetch(`http://127.0.0.1:${port}`, { method: "POST" });
    const relayed = await pair.post(toolCall(1, "order", {}), SESSION);
    expect([relayed.status, await relayed.text()]).toEqual([direct.status, await direct.text()]);
    bare.closeAllConnections();
    bare.close();
  });
});

describe("a call that did not run may come again, and its amount is given back", () => {
  function paying() {
    const ledger = memoryLedger();
    const guardrails = createGuardrails({
      guardrails: [],
      effects: { order: "irreversible" },
      limits: { budget: { max: 10, scope: "user" } },
      spends: { order: () => ({ budget: 10 }) },
      ledger,
    });
    const contract = createContract({ logger: () => undefined, guardrails });
    return { guardrails, options: { contract, context: { user: "ana" } } };
  }

  test.each<[string, Lose]>([
    [
      "a session that is over",
      whole(
        404,
        JSON_BODY,
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
      ),
    ],
    ["missing credentials", whole(401, { "www-authenticate": "Bearer" }, "log in")],
    ["too many requests", whole(429, { "retry-after": "1" }, "slow down")],
    [
      "an error about the request",
      whole(400, JSON_BODY, '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}'),
    ],
    ["another address", whole(307, { location: "/other" })],
  ])("%s", async (_, refuse) => {
    let isRefused = true;
    const { options: gate } = paying();
    const pair = await start((response, seen) => {
      if (isRefused) refuse(response, seen);
      else sendJson(response, { jsonrpc: "2.0", id: seen.message["id"], result: { content: [] } });
    }, gate);
    const post = async (id: number): Promise<Response> =>
      fetch(pair.url, {
        method: "POST",
        redirect: "manual",
        body: JSON.stringify(toolCall(id, "order", {})),
        headers: { ...JSON_BODY, accept: "application/json, text/event-stream", ...SESSION },
      });
    const refused = await post(1);
    expect(refused.status).toBeGreaterThanOrEqual(300);
    expect(await refused.text()).not.toContain("GRD-");
    isRefused = false;
    expect(await (await post(2)).json()).toMatchObject({ result: { content: [] } });
  });

  test("a server that is not there", async () => {
    const gate = createGate(options("irreversible"));
    const proxy = await startOn(new URL("http://127.0.0.1:2/mcp"), { gate });
    const post = async (message: object): Promise<Response> =>
      fetch(`http://127.0.0.1:${proxy.port}/mcp`, {
        method: "POST",
        body: JSON.stringify(message),
        headers: { ...JSON_BODY, ...SESSION },
      });
    for (const id of [1, 2]) {
      const { text } = await call({ post }, id);
      expect(text).toBe(
        "The MCP server could not be reached (ECONNREFUSED): the call was not sent.",
      );
    }
  });
});

describe("a stream that the client resumes is not lost", () => {
  const priming = "id: 1\ndata: \n\n";

  test.each<[string, Lose]>([
    ["ends", whole(200, EVENTS, priming)],
    ["breaks", half(EVENTS, priming)],
  ])("after it %s", async (_, lose) => {
    const pair = await startPair(
      (seen, response) => {
        const { id, method } = seen.message;
        if (method === "tools/list") {
          sendJson(response, { jsonrpc: "2.0", id, result: { tools: [ORDER] } });
        } else if (seen.request.method === "GET") {
          response.writeHead(200, EVENTS).end(`id: 2\ndata: ${ANSWER}\n\n`);
        } else lose(response, seen);
      },
      {},
      options("irreversible"),
    );
    const first = await pair.post(toolCall(1, "order", {}), SESSION);
    expect(await first.text().catch(() => priming)).toBe(priming);
    const resumed = await fetch(pair.url, {
      headers: { accept: "text/event-stream", "last-event-id": "1", ...SESSION },
    });
    expect(await resumed.text()).toContain('"text":"done"');
    await sent(pair, 2);
    expect(pair.count("tools/call")).toBe(2);
  });
});

test("a last event without its empty line is the answer", async () => {
  const pair = await start(whole(200, EVENTS, `data: ${ANSWER}`), options("irreversible"));
  expect((await call(pair, 1)).text).toBe("done");
});

test.each([
  ["a time-out", "McpError: MCP error -32001: Request timed out", 1],
  ["a person's wish", "AbortError: This operation was aborted", 2],
])("a client that cancels for %s", async (_, reason, runs) => {
  const pair = await start(() => undefined, options("irreversible"));
  const gone = new AbortController();
  const send = async (id: number): Promise<string> => sent(pair, id, gone.signal);
  const first = send(1);
  await expect.poll(() => pair.count("tools/call")).toBe(1);
  await pair.post(
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason } },
    SESSION,
  );
  const second = send(2);
  if (runs === 2) await expect.poll(() => pair.count("tools/call")).toBe(2);
  else expect(await second).toContain("Do not call 'order' again");
  gone.abort();
  await Promise.all([first, second]);
});

test("a client that is cut off from its session loses the answer; without one, it has cancelled", async () => {
  for (const [headers, runs] of [
    [SESSION, 1],
    [{}, 2],
  ] as const) {
    const pair = await start(() => undefined, options("irreversible"));
    for (const id of [1, 2]) {
      const gone = new AbortController();
      const answer = sent(pair, id, gone.signal, headers);
      if (id <= runs) {
        await expect.poll(() => pair.count("tools/call")).toBe(id);
        gone.abort();
        await answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      } else expect(await answer).toContain("Do not call 'order' again");
    }
  }
});
