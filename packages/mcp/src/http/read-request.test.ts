import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { deflateSync, brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { closePairs, type HttpPair, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { createBodyBudget } from "./body-budget.ts";
import { readRequest } from "./read-request.ts";

afterEach(closePairs);

const JSON_TYPE = { "content-type": "application/json" };
const GOOD = JSON.stringify(toolCall(1, "add", { a: 1, b: 2 }));
const BAD = JSON.stringify(toolCall(1, "add", { a: 1 }));

const plain = (body: string): Buffer => Buffer.from(body);

/** Sends a body, which may have a method and headers of its own. */
async function send(
  { url }: HttpPair,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
  method = "POST",
): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { method, body, headers: { ...JSON_TYPE, ...headers } });
  return { status: answer.status, text: await answer.text() };
}

describe("a body is read as the server reads it", () => {
  test.each<[string, (body: string) => Buffer, Record<string, string>]>([
    ["after a byte order mark", (body) => Buffer.from(`\uFEFF${body}`), {}],
    ["with the charset named", plain, { "content-type": 'application/json; charset="UTF-8"' }],
    ["with another type", plain, { "content-type": "text/plain" }],
    ["encoded as identity", plain, { "content-encoding": "identity" }],
    ["encoded as gzip", gzipSync, { "content-encoding": "GZIP" }],
    ["encoded as deflate", deflateSync, { "content-encoding": "identity, deflate" }],
    ["encoded as br", brotliCompressSync, { "content-encoding": "br" }],
    [
      "with a protocol version in its metadata",
      (body) => {
        const message = JSON.parse(body) as { params: object };
        const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
        return Buffer.from(
          JSON.stringify({ ...message, params: { ...message.params, _meta: meta } }),
        );
      },
      {},
    ],
    ["for a client that takes events alone", plain, { accept: "text/event-stream" }],
  ])("%s", async (_, encode, headers) => {
    const pair = await startPair(serveAdd);
    expect((await send(pair, encode(BAD), headers)).text).toContain("VAL-001");
    expect(pair.count("tools/call")).toBe(0);
    expect((await send(pair, encode(GOOD), headers)).text).toContain("ran");
    const { message, request } = pair.seen.at(-1) ?? { message: {} };
    expect(message).toMatchObject(JSON.parse(GOOD) as object);
    expect(request?.headers).not.toHaveProperty("content-encoding");
  });

  test("an answer is an event if the client takes nothing else", async () => {
    const pair = await startPair(serveAdd);
    const { text } = await send(pair, BAD, { accept: "text/event-stream" });
    expect(text).toMatch(/^event: message\ndata: \{.*VAL-001.*\}\n\n$/);
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("sent by %s", async (method) => {
    const pair = await startPair(serveAdd);
    expect((await send(pair, BAD, {}, method)).text).toContain("VAL-001");
    expect(pair.count("tools/call")).toBe(0);
  });
});

describe("a body that servers read differently is refused", () => {
  const refusals: readonly [string, Buffer | string, Record<string, string>, number, string][] = [
    ["UTF-16", Buffer.from(BAD, "utf16le"), typed("utf-16le"), 415, "charset"],
    ["UTF-7", BAD.replace('"a"', '"+AG4-"'), typed("utf-7"), 415, "charset"],
    ["a charset in quotes", BAD, typed('"utf-16"'), 415, "charset"],
    [
      "a charset in extended notation",
      BAD,
      { "content-type": "application/json; charset*=utf-16''" },
      415,
      "charset",
    ],
    ["two charsets", BAD, { "content-type": "a/b; charset=utf-8; charset=utf-7" }, 415, "charset"],
    ["an unknown coding", BAD, { "content-encoding": "zstd" }, 415, "content encoding"],
    [
      "two codings",
      gzipSync(gzipSync(BAD)),
      { "content-encoding": "gzip, gzip" },
      415,
      "content encoding",
    ],
    ["a coding that it lacks", BAD, { "content-encoding": "gzip" }, 400, "not encoded"],
    ["a doubled name", BAD.replace('"name"', '"name":"danger","name"'), {}, 400, "occurs twice"],
    ["a doubled method", BAD.replace("}}}", '}},"method":"ping"}'), {}, 400, "occurs twice"],
    ["an endless number", BAD.replace(":1}", ":-1e400}"), {}, 200, "too large"],
    ["a batch", `[${BAD}]`, {}, 400, "batch"],
    ["an id of null", BAD.replace('"id":1', '"id":null'), {}, 400, "the id"],
    ["an id beyond 2^53", BAD.replace('"id":1', '"id":9007199254740993'), {}, 400, "the id"],
    [
      "a form",
      "method=tools%2Fcall",
      { "content-type": "application/x-www-form-urlencoded" },
      400,
      "JSON",
    ],
  ];

  test.each(refusals)("%s", async (_, body, headers, status, words) => {
    const pair = await startPair(serveAdd);
    const answer = await send(pair, body, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: "2.0",
      error: { code: expect.any(Number) },
    });
    expect(answer.text).toContain(words);
    expect(pair.count("tools/call")).toBe(0);
    expect(pair.gate.unvalidated()).toEqual([
      { reason: "unreadable", outcome: "refused", count: 1 },
    ]);
  });

  test.each(["assist", "audit"] as const)("but forwarded and counted in mode %s", async (mode) => {
    const pair = await startPair(serveAdd, {}, { mode });
    await send(pair, `[${BAD}]`);
    expect(pair.seen.at(-1)?.body).toBe(`[${BAD}]`);
    expect(pair.gate.unvalidated()).toEqual([
      { reason: "unreadable", outcome: "forwarded", count: 1 },
    ]);
  });
});

describe("a call that is too large, as sent or decoded", () => {
  const long = JSON.stringify(toolCall(1, "add", { a: "x".repeat(200_000) }));
  const sendings: readonly [string, Buffer | string, Record<string, string>][] = [
    ["as sent", long, {}],
    ["decoded", gzipSync(long), { "content-encoding": "gzip" }],
    ["decoded from a small bomb", brotliCompressSync(long), { "content-encoding": "br" }],
  ];

  test.each(sendings)("%s: is refused and counted", async (_, body, headers) => {
    const pair = await startPair(serveAdd, { maxMessageBytes: 100_000 });
    const answer = await send(pair, body, headers);
    expect(answer).toMatchObject({ status: 413, text: expect.stringContaining("--max-body") });
    expect(pair.seen).toHaveLength(0);
    expect(pair.gate.unvalidated()).toEqual([
      { reason: "too-large", outcome: "refused", count: 1 },
    ]);
  });

  test.each(sendings)("%s: runs in mode audit, reported once", async (_, body, headers) => {
    const entries: object[] = [];
    const logger = (fields: object): number => entries.push(fields);
    const options = { logger, mode: "audit" } as const;
    const pair = await startPair(serveAdd, { maxMessageBytes: 100_000 }, options);
    await send(pair, body, headers);
    await send(pair, body, headers);
    expect(pair.seen).toHaveLength(2);
    expect(pair.seen[0]?.request.headers["content-encoding"]).toBe(headers["content-encoding"]);
    expect(pair.gate.unvalidated()).toEqual([
      { reason: "too-large", outcome: "forwarded", count: 2 },
    ]);
    expect(entries.filter((entry) => "stage" in entry)).toMatchObject([{ stage: "too-large" }]);
  });
});

describe("a message that is too large and no call by its beginning", () => {
  const long = `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"a":"${"x".repeat(200_000)}"}`;

  test("is forwarded, and counted as relayed unread", async () => {
    const pair = await startPair(serveAdd, { maxMessageBytes: 100_000 });
    const answer = await send(pair, `${long}}`, {});
    expect(answer.status).toBe(200);
    expect(pair.count("completion/complete")).toBe(1);
    expect(pair.gate.unread()).toEqual({ client: 1, server: 0 });
  });

  test("is cut off if it becomes one", async () => {
    const pair = await startPair(serveAdd, { maxMessageBytes: 100_000 });
    const answer = await send(pair, `${long},"method":"tools/call"}`, {});
    expect(answer.status).toBe(502);
    expect(pair.seen).toHaveLength(0);
  });
});

test.each([
  ["a large message", 300_000, true],
  ["a small one", 100, false],
])("between reading and judging %s, others have their turn: %s", async (_, length, hasTurn) => {
  const body = JSON.stringify(toolCall(1, "add", { a: "x".repeat(length) }));
  const stream = new Readable({ read: () => undefined });
  const request = Object.assign(stream, { headers: {}, complete: false });
  const limits = {
    maxMessageBytes: 1e6,
    budget: createBodyBudget({ maxBytes: 1e6, timeoutMs: 1e6 }),
  };
  const received = readRequest(request as unknown as IncomingMessage, [], limits);
  await new Promise((resolve) => setImmediate(resolve));
  let turns = 0;
  stream.once("end", () => setImmediate(() => (turns += 1)));
  stream.push(body);
  stream.push(null);
  expect((await received).kind).toBe("message");
  expect(turns > 0).toBe(hasTurn);
  (await received).share?.close();
});

test("a coding that Connection hides from the server is not decoded", async () => {
  const pair = await startPair(serveAdd);
  const { request } = await import("node:http");
  const sent = request(pair.url, {
    method: "POST",
    headers: { ...JSON_TYPE, connection: "content-encoding", "content-encoding": "gzip" },
  });
  sent.end(BAD);
  const answer = await new Promise<import("node:http").IncomingMessage>((resolve) => {
    sent.once("response", resolve);
  });
  expect(Buffer.concat((await answer.toArray()) as Buffer[]).toString()).toContain("VAL-001");
  expect(pair.count("tools/call")).toBe(0);
});

function typed(charset: string): Record<string, string> {
  return { "content-type": `application/json; charset=${charset}` };
}
