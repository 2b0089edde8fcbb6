import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { afterEach, describe, expect, test } from "vitest";
import { closePairs, type Seen, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const EVENT = 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"x":"☃"}}\n\n';

test("an answer that arrives at once leaves at once, with its length", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(EVENT);
  });
  const answer = await pair.post(PING);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(EVENT)));
  expect(await answer.text()).toBe(EVENT);
});

test.each([
  ["names the path for messages", "event: endpoint\ndata: /messages\n\n", ["http-sse"]],
  ["names no path", EVENT, []],
])("a stream whose first event %s is reported: %j", async (_, events, reported) => {
  const pair = await startPair((_seen, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events);
  });
  const stages: string[] = [];
  pair.gate.contract.on("contract-degraded", ({ stage }) => stages.push(stage));
  const answer = await fetch(pair.url, { headers: { accept: "text/event-stream" } });
  expect(await answer.text()).toBe(events);
  expect(stages).toEqual(reported);
});

test("a body that follows its head closely is still one answer", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    setImmediate(() => response.end(EVENT));
  });
  expect(await (await pair.post(PING)).text()).toBe(EVENT);
});

const WITHOUT_BODY: readonly (readonly [
  string,
  string,
  number,
  Readonly<Record<string, string>>,
])[] = [
  ["an answer to HEAD", "HEAD", 200, { "content-length": "7" }],
  ["no content", "GET", 204, {}],
  ["not modified", "GET", 304, { etag: '"a"' }],
];

test.each(WITHOUT_BODY)("%s has its headers and no body", async (_, method, status, headers) => {
  const pair = await startPair((_seen, response) => response.writeHead(status, headers).end());
  const sent = httpRequest(pair.url, { method });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(status);
  expect(answer.headers).toMatchObject(headers);
  expect(answer.headers["content-length"]).toBe(headers["content-length"]);
  expect(await answer.toArray()).toEqual([]);
});

test("a stream that stays silent is opened nevertheless", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  });
  const answer = await fetch(pair.url);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  await answer.body?.cancel();
});

test("a head without its body is a failure", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    setImmediate(() => response.destroy());
  });
  const answer = await pair
    .post(PING)
    .then(async (response) => [response.status, await response.text()])
    .catch(() => "broken off");
  // The second if it took longer than the proxy holds the head back, before or after the client has the head.
  expect([502, "broken off"]).toContain(typeof answer === "string" ? answer : answer[0]);
});

test("a client that reads slowly gets every byte, and the server waits for it", async () => {
  const big = Buffer.from(`data: ${"x".repeat(999_992)}\n\n`);
  let waits = 0;
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = (left: number): void => {
      if (left === 0) response.end();
      else if (response.write(big)) more(left - 1);
      else {
        waits += 1;
        response.once("drain", () => {
          more(left - 1);
        });
      }
    };
    more(20);
  });
  const sent = httpRequest(pair.url, { method: "POST" });
  sent.end(JSON.stringify(PING));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  let size = 0;
  for await (const chunk of answer) {
    size += (chunk as Buffer).length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(size).toBe(20_000_000);
  expect(waits).toBeGreaterThan(0);
});

describe("a result over the size limit", () => {
  const failed: unknown[] = [];
  const guardrails: ExecutionStage = {
    name: "watch",
    lanes: { outcome: 2 },
    async around({ run }) {
      try {
        return { action: "return", value: await run() };
      } catch (error) {
        failed.push(error);
        return { action: "throw", error };
      }
    },
  };
  test.each([
    ["in JSON", "application/json", (text: string) => text],
    ["in an event", "text/event-stream", (text: string) => `id: 1\ndata: ${text}\n\n`],
  ])("%s reaches the client whole, is counted, and no stage waits for it", async (_, type, put) => {
    const big = "y".repeat(300_000);
    const pair = await startPair(
      ({ message }, response) => {
        if (message["method"] === "tools/list") serveAdd({ message } as Seen, response);
        else {
          const result = { content: [{ type: "text", text: big }] };
          response.writeHead(200, { "content-type": type });
          response.end(put(JSON.stringify({ result, jsonrpc: "2.0", id: message["id"] })));
        }
      },
      { maxMessageBytes: 100_000 },
      { guardrails },
    );
    const session = { "mcp-session-id": "s" };
    const answer = await pair.post(toolCall(1, "add", { a: 1, b: 2 }), session);
    expect(await answer.text()).toContain(big);
    expect(pair.gate.unread()).toEqual({ client: 0, server: 1 });
    expect(failed.splice(0)).toMatchObject([{ name: "AbortError" }]);
  });
});

describe("a stream of events that is silent gets comments, so that nobody takes it for dead", () => {
  const COMMENT = ": keepalive\n\n";
  const HALF = 20;

  interface Streamed {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | number>>;
    readonly maxResultBytes?: number;
  }

  /** Relays an event and the half of another; the server sends the rest once it may by what the client has read. */
  async function streamed(
    mayEnd: (read: string) => boolean,
    { method = "POST", headers = {}, maxResultBytes = 1_000 }: Streamed = {},
  ): Promise<string> {
    let read = "";
    const pair = await startPair(
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", ...headers });
        response.write(EVENT + EVENT.slice(0, HALF));
        const timer = setInterval(() => {
          if (!mayEnd(read)) return;
          clearInterval(timer);
          response.end(EVENT.slice(HALF));
        }, 50);
      },
      { silenceMs: 5, maxResultBytes },
    );
    const answer = await fetch(pair.url, {
      method,
      headers: { accept: "text/event-stream", "content-type": "application/json" },
      ...(method === "POST" && { body: JSON.stringify(PING) }),
    });
    for await (const part of answer.body ?? []) read += Buffer.from(part).toString();
    return read;
  }

  test.each(["POST", "GET"])("between its events, and never in one, on %s", async (method) => {
    const read = await streamed((text) => text.split(COMMENT).length > 2, { method });
    const [first, ...rest] = read.split(COMMENT);
    expect([first, rest.at(-1)]).toEqual([EVENT, EVENT]);
    expect(rest.slice(0, -1).join("")).toBe("");
  });

  test.each<[what: string, Streamed]>([
    ["in an event that is relayed in parts", { maxResultBytes: 10 }],
    ["beyond an announced length", { headers: { "content-length": 2 * Buffer.byteLength(EVENT) } }],
    ["in what is encoded", { headers: { "content-encoding": "x-own" } }],
  ])("but not %s", async (_, how) => {
    expect(await streamed((text) => text.length > 0, how)).toBe(EVENT + EVENT);
  });
});
