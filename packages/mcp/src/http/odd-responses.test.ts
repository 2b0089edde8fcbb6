import { once } from "node:events";
import { STATUS_CODES } from "node:http";
import { connect } from "node:net";
import { oneInThree } from "@toolcontract/case-table/whole";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toolCall } from "../testing/messages.ts";
import { endProxies, type ProxyProcess, startProxy } from "../testing/proxy-process.ts";
import {
  plainAnswer,
  type RawServer,
  send,
  startRawServer,
  type Ending,
} from "../testing/raw-server.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const CALL = toolCall(1, "look", {});
const PONG = '{"jsonrpc":"2.0","id":1,"result":{}}';
const AT_ONCE = 16;

let server: RawServer;
let proxy: ProxyProcess;
let url: string;

beforeAll(async () => {
  server = await startRawServer([{ name: "look", inputSchema: { type: "object" } }]);
  proxy = startProxy(["--upstream", server.url, "--port", "0"]);
  url = await proxy.listening();
});
afterAll(async () => {
  await endProxies();
  server.close();
});

const UNREACHED = expect.objectContaining({ status: 502, body: expect.stringContaining('"id":1') });

describe("no byte of a response ends the proxy", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const rest = `content-length: ${PONG.length}\r\n\r\n${PONG}`;

  test.each([
    ["the status text", (byte: string) => `HTTP/1.1 200 O${byte}K\r\n${rest}`],
    ["a header's name", (byte: string) => `HTTP/1.1 200 OK\r\nx${byte}y: 1\r\n${rest}`],
    ["a header's value", (byte: string) => `HTTP/1.1 200 OK\r\nx: 1${byte}2\r\n${rest}`],
  ])("in %s", async (_, answer) => {
    for (let from = 0; from < bytes.length; from += AT_ONCE) {
      const headers = bytes
        .slice(from, from + AT_ONCE)
        .map((byte) => server.asking(answer(byte), "stay"));
      const [direct, relayed, other] = await Promise.all([
        Promise.all(headers.map(async (each) => send(server.url, each, PING))),
        Promise.all(headers.map(async (each) => send(url, each, PING))),
        send(url, server.asking(plainAnswer(PONG), "stay"), PING),
      ]);
      expect(relayed).toEqual(
        direct.map((got) =>
          got?.status === 200 ? { status: 200, text: "OK", body: PONG } : UNREACHED,
        ),
      );
      expect(other).toMatchObject({ status: 200, body: PONG });
    }
    expect(proxy.child.exitCode).toBeNull();
  });
});

const OK = "HTTP/1.1 200 OK\r\n";
const LENGTH = `content-length: ${PONG.length}\r\n`;
const TYPED = `${OK}content-type: application/json\r\n`;
const EVENTS = `${OK}content-type: text/event-stream\r\n`;
const CHUNK = `${PONG.length.toString(16)}\r\n${PONG}\r\n`;

const ODD: readonly (readonly [name: string, answer: string, ending: Ending])[] = [
  ["no status text", `HTTP/1.1 200\r\n${LENGTH}\r\n${PONG}`, "end"],
  ["HTTP/1.0 without a length", `HTTP/1.0 200 OK\r\n\r\n${PONG}`, "end"],
  ["a status of its own", `HTTP/1.1 599 Odd\r\n${LENGTH}\r\n${PONG}`, "end"],
  ["the highest status", `HTTP/1.1 999 Odd\r\n${LENGTH}\r\n${PONG}`, "end"],
  ["status 000", `HTTP/1.1 000 Odd\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["status 099", `HTTP/1.1 099 Odd\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["status 1000", `HTTP/1.1 1000 Odd\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["a status of letters", `HTTP/1.1 2OO OK\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["early hints", `HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${OK}${LENGTH}\r\n${PONG}`, "end"],
  ["100 many times", `${"HTTP/1.1 100 Go on\r\n\r\n".repeat(50)}${OK}${LENGTH}\r\n${PONG}`, "end"],
  ["100 and no more", "HTTP/1.1 100 Continue\r\n\r\n", "end"],
  [
    "101 with an upgrade",
    "HTTP/1.1 101 Now\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nabc",
    "stay",
  ],
  ["101 without one", "HTTP/1.1 101 Now\r\n\r\n", "stay"],
  ["204 with a body", `HTTP/1.1 204 None\r\n${LENGTH}\r\n${PONG}`, "end"],
  ["304 with a body", `HTTP/1.1 304 Same\r\n${LENGTH}\r\n${PONG}`, "end"],
  ["no byte", "", "end"],
  ["no byte, and a reset", "", "reset"],
  ["half a status line", "HTTP/1.1 20", "end"],
  ["half a head", `${OK}content-len`, "end"],
  ["half a head, and a reset", `${OK}content-len`, "reset"],
  ["no HTTP", "* OK IMAP4 ready\r\n", "end"],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "end"],
  ["a head of 100 KB", `${OK}x: ${"y".repeat(100_000)}\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["a thousand headers", `${OK}${"x: 1\r\n".repeat(1_000)}${LENGTH}\r\n${PONG}`, "end"],
  ["a header without a name", `${OK}: 1\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["a header without a colon", `${OK}x\r\n${LENGTH}\r\n${PONG}`, "stay"],
  ["a folded header", `${OK}x: 1\r\n 2\r\n${LENGTH}\r\n${PONG}`, "stay"],
  [
    "Connection that names headers",
    `${OK}connection: x, content-length, date\r\nx: 1\r\n${LENGTH}\r\n${PONG}`,
    "end",
  ],
  [
    "Keep-Alive beyond all numbers",
    `${OK}keep-alive: timeout=${"9".repeat(400)}\r\n${LENGTH}\r\n${PONG}`,
    "end",
  ],
  ["Trailer without trailers", `${OK}trailer: x\r\n${LENGTH}\r\n${PONG}`, "end"],
  ["trailers", `${OK}transfer-encoding: chunked\r\n\r\n${CHUNK}0\r\nx: 1\r\n\r\n`, "end"],
  ["two equal lengths", `${OK}${LENGTH}${LENGTH}\r\n${PONG}`, "stay"],
  ["two other lengths", `${OK}${LENGTH}content-length: 1\r\n\r\n${PONG}`, "stay"],
  ["a length below zero", `${OK}content-length: -1\r\n\r\n${PONG}`, "stay"],
  [
    "a length and chunks",
    `${OK}${LENGTH}transfer-encoding: chunked\r\n\r\n${CHUNK}0\r\n\r\n`,
    "stay",
  ],
  ["a coding that nobody knows", `${OK}transfer-encoding: odd\r\n\r\n${PONG}`, "end"],
  ["a chunk without a size", `${OK}transfer-encoding: chunked\r\n\r\nx\r\n${PONG}`, "stay"],
  [
    "a chunk beyond all sizes",
    `${OK}transfer-encoding: chunked\r\n\r\n${"f".repeat(40)}\r\n${PONG}`,
    "stay",
  ],
  ["chunks without an end", `${OK}transfer-encoding: chunked\r\n\r\n${CHUNK}`, "end"],
  ["half a body", `${TYPED}${LENGTH}\r\n${PONG.slice(9)}`, "end"],
  ["half a body, and a reset", `${TYPED}${LENGTH}\r\n${PONG.slice(9)}`, "reset"],
  ["half an event", `${EVENTS}content-length: 99\r\n\r\ndata: {`, "end"],
  [
    "half an event, and a reset",
    `${EVENTS}transfer-encoding: chunked\r\n\r\n7\r\ndata: {\r\n`,
    "reset",
  ],
  ["JSON that is none", `${TYPED}content-length: 8\r\n\r\n{"a":\x00\x01\xff`, "end"],
  ["events that are none", `${EVENTS}content-length: 13\r\n\r\ndata: {"a"\r\n\r`, "end"],
  [
    "a coding that it does not have",
    `${TYPED}content-encoding: gzip\r\n${LENGTH}\r\n${PONG}`,
    "end",
  ],
  ["a body longer than it says", `${OK}content-length: 2\r\n\r\n{}${PONG}`, "end"],
  ["a second response", `${OK}${LENGTH}\r\n${PONG}${OK}${LENGTH}\r\n${PONG}`, "stay"],
  ["a redirect to no URL", `HTTP/1.1 307 No\r\nlocation: http://[\r\n${LENGTH}\r\n${PONG}`, "end"],
  [
    "a redirect to odd bytes",
    `HTTP/1.1 307 No\r\nlocation: //\x80\xff\r\n${LENGTH}\r\n${PONG}`,
    "end",
  ],
];

describe("an odd response ends its own exchange at most", () => {
  test.each(ODD)("%s", async (_, answer, ending) => {
    const headers = server.asking(answer, ending);
    for (const message of [PING, CALL, undefined]) {
      const direct = await send(server.url, headers, message);
      const got = await send(url, headers, message);
      const isRelayed = direct !== undefined && direct.status >= 200;
      if (isRelayed)
        expect(got).toEqual({ ...direct, text: STATUS_CODES[direct.status] ?? "unknown" });
      else expect(got?.status ?? 502).toBe(502);
    }
    const other = await send(url, server.asking(plainAnswer(PONG), "stay"), PING);
    expect(other).toMatchObject({ status: 200, body: PONG });
  });
});

test.each([
  ["ends", "end"],
  ["breaks off", "reset"],
] as const)(
  "a client that %s after any byte of its request ends its own exchange",
  async (_, ending) => {
    // The response begins and does not end.
    const headers = server.asking(`${EVENTS}\r\ndata: {}\n\n`, "stay");
    const body = JSON.stringify(CALL);
    const head = Object.entries({ ...headers, "content-length": String(body.length) })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const request = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${body}`;
    for (let from = 0; from <= request.length; from += AT_ONCE) {
      const ends = Array.from({ length: AT_ONCE }, (__, index) => from + index + 1);
      await Promise.all(ends.map(async (end) => leave(request.slice(0, end), ending)));
    }
    const other = await send(url, server.asking(plainAnswer(PONG), "stay"), PING);
    expect(other).toMatchObject({ status: 200, body: PONG });
  },
);

/** Sends a part of a request, waits for a response if it is the whole, and leaves. */
async function leave(part: string, ending: "end" | "reset"): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(part, "latin1");
  const closed = once(socket, "close");
  if (part.endsWith("}}}")) await Promise.race([once(socket, "data"), closed]);
  else await once(socket, "connect");
  if (socket.destroyed) return;
  if (ending === "end") socket.resume().end(() => setImmediate(() => socket.destroy()));
  else socket.resetAndDestroy();
  await closed;
}

describe("no byte of a request ends the proxy", () => {
  const body = JSON.stringify(CALL);
  const head = (line: string, more = ""): string =>
    `${line}\r\nhost: 127.0.0.1\r\nconnection: close\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
  const bytes = oneInThree(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)));

  test.each([
    ["the method", (byte: string) => head(`PO${byte}ST /mcp HTTP/1.1`)],
    ["the path", (byte: string) => head(`POST /m${byte}cp HTTP/1.1`)],
    ["the version", (byte: string) => head(`POST /mcp HTTP/1${byte}1`)],
    ["a header's name", (byte: string) => head("POST /mcp HTTP/1.1", `x${byte}y: 1\r\n`)],
    ["a header's value", (byte: string) => head("POST /mcp HTTP/1.1", `x: 1${byte}2\r\n`)],
    ["the length", (byte: string) => head("POST /mcp HTTP/1.1", `content-length: 1${byte}\r\n`)],
    [
      "the body",
      (byte: string) => head("POST /mcp HTTP/1.1").replace("tools/call", `tools/${byte}call`),
    ],
  ])("in %s", async (_, request) => {
    for (let from = 0; from < bytes.length; from += AT_ONCE) {
      const sent = bytes.slice(from, from + AT_ONCE).map(request);
      await Promise.all(sent.map(async (text) => leave(text, "end")));
    }
    const other = await send(url, server.asking(plainAnswer(PONG), "stay"), PING);
    expect(other).toMatchObject({ status: 200, body: PONG });
  });
});

test("no exception was needed for any of this", () => {
  expect(proxy.child.exitCode).toBeNull();
  expect(proxy.errors()).not.toContain('"stage":"exchange"');
});
