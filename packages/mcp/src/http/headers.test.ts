import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { closePairs, type HttpPair, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { endToEnd, isForwarded } from "./headers.ts";

afterEach(closePairs);

/** A body without framing is read as the next request. */
const SMUGGLED = "POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
const CHUNKED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;

function open({ url }: HttpPair, head: readonly string[]): Socket {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const [first = "", ...headers] = head;
  socket.write([first, `Host: ${host}`, ...headers, "", ""].join("\r\n"));
  return socket;
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const METHODS = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT"].flatMap((method) =>
  ["/mcp", "/other"].map((path) => [method, path] as const),
);

/** A mode in which everything is forwarded. */
const AUDIT = { mode: "audit" } as const;

test.each(METHODS)("%s %s: a body of unknown length is not read as a request", async (...line) => {
  const pair = await startPair((_, response) => response.end(), {}, AUDIT);
  const socket = open(pair, [`${line.join(" ")} HTTP/1.1`, "Transfer-Encoding: chunked"]);
  socket.write(CHUNKED);
  await expect.poll(() => pair.seen.length).toBe(1);
  await settled();
  expect(pair.seen.map(({ request, body }) => [request.method, request.url, body])).toEqual([
    [...line, SMUGGLED],
  ]);
  socket.destroy();
});

test.each(METHODS)(
  "%s %s: a length that Connection names is sent all the same",
  async (...line) => {
    const pair = await startPair((_, response) => response.end(), {}, AUDIT);
    const length = `Content-Length: ${SMUGGLED.length}`;
    const socket = open(pair, [`${line.join(" ")} HTTP/1.1`, "Connection: content-length", length]);
    socket.write(SMUGGLED);
    await expect.poll(() => pair.seen.length).toBe(1);
    await settled();
    expect(pair.seen.map(({ body }) => body)).toEqual([SMUGGLED]);
    socket.destroy();
  },
);

const OF_ONE_CONNECTION = `Connection Expect HTTP2-Settings Keep-Alive Proxy-Authenticate
  Proxy-Authorization Proxy-Connection TE Trailer Transfer-Encoding Upgrade`;

test.each(OF_ONE_CONNECTION.split(/\s+/))(
  "%s belongs to one connection and is not forwarded",
  (name) => {
    expect(isForwarded(name)).toBe(false);
    expect(endToEnd(["X-One", "1", name, "x", "X-Two", "2"])).toEqual([
      ["X-One", "1"],
      ["X-Two", "2"],
    ]);
  },
);

test("a request without a body is sent without one", async () => {
  const pair = await startPair((_, response) => response.end());
  open(pair, ["GET /other HTTP/1.1", "Connection: close"]);
  await expect.poll(() => pair.seen.length).toBe(1);
  expect(pair.seen[0]?.request.headers).not.toHaveProperty("transfer-encoding");
  expect(pair.seen[0]?.request.headers).not.toHaveProperty("content-length");
});

test("a message that arrives in pieces is validated as a whole", async () => {
  const pair = await startPair(serveAdd);
  const body = JSON.stringify(toolCall(1, "add", { a: 1 }));
  const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  const socket = open(pair, ["POST /mcp HTTP/1.1", "Connection: close", ...headers]);
  for (const piece of [body.slice(0, 20), body.slice(20)]) {
    await settled();
    socket.write(piece);
  }
  expect(await text(socket)).toContain("VAL-001");
  expect(pair.count("tools/call")).toBe(0);
});
