import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  closePairs,
  type HttpPair,
  type Seen,
  serveAdd,
  startPair,
} from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

const GOOD = JSON.stringify(toolCall(1, "add", { a: 1, b: 2 }));
const BAD = JSON.stringify(toolCall(2, "add", { a: 1 }));

/** Sends bytes on a connection of their own; resolves to what came back when it is closed. */
async function sendRaw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("latin1");
  let got = "";
  socket.on("data", (part: string) => (got += part)).on("error", () => undefined);
  socket.write(text, "latin1");
  await once(socket, "close");
  return got;
}

const HEAD = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";

function request(body: string, more = "", connection = "close"): string {
  return `${HEAD}Connection: ${connection}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function chunked(body: string, { extension = "", trailers = "" } = {}): string {
  const chunks = [body.slice(0, 20), body.slice(20)].map(
    (chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`,
  );
  const head = `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  return `${head}${chunks.join("")}0\r\n${trailers}\r\n`;
}

/** How often the tool ran. */
function runs({ count }: HttpPair): number {
  return count("tools/call");
}

describe("what is called is judged, or never reaches the server", () => {
  test.each<[what: string, text: string, status: number, words: string]>([
    ["a body that waits for 100", request(BAD, "Expect: 100-continue\r\n"), 100, "VAL-001"],
    ["another expectation", request(BAD, "Expect: 200-ok\r\n"), 417, ""],
    ["chunks with extensions", chunked(BAD, { extension: ";a=b" }), 200, "VAL-001"],
    ["chunks with too long ones", chunked(BAD, { extension: `;${"a".repeat(20_000)}` }), 413, ""],
    ["trailers", chunked(BAD, { trailers: "X-Trailer: 1\r\n" }), 200, "VAL-001"],
    ["a length in a trailer", chunked(BAD, { trailers: "Content-Length: 5\r\n" }), 400, ""],
    ["two lengths", request(BAD, `Content-Length: ${BAD.length}\r\n`), 400, ""],
    ["two other lengths", request(BAD, "Content-Length: 3\r\n"), 400, ""],
    ["a length and chunks", request(BAD, "Transfer-Encoding: chunked\r\n"), 400, ""],
    ["a coding below chunks", request(BAD, "Transfer-Encoding: gzip, chunked\r\n"), 400, ""],
    ["lines without a return", request(BAD).replaceAll("\r\n", "\n"), 400, ""],
    ["a space before a colon", request(BAD, "X-A : 1\r\n"), 400, ""],
    ["no host", request(BAD).replace("Host: 127.0.0.1\r\n", ""), 400, ""],
    ["two hosts", request(BAD, "Host: evil.example\r\n"), 200, "VAL-001"],
    ["an upgrade", request(BAD, "Upgrade: h2c\r\n", "upgrade, close"), 200, "VAL-001"],
    ["HTTP/1.0", request(BAD).replace("HTTP/1.1", "HTTP/1.0"), 200, "VAL-001"],
    ["a whole URL", request(BAD).replace("/mcp", "http://127.0.0.1/mcp"), 400, "a path such as"],
    ["GET with a body", request(BAD).replace("POST", "GET"), 200, "VAL-001"],
  ])("%s", async (_, text, status, words) => {
    const pair = await startPair(serveAdd);
    const got = await sendRaw(pair.url, text);
    expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(got).toContain(words);
    expect(runs(pair)).toBe(0);
  });
});

test("requests that are sent without waiting are answered in their order, each as its own", async () => {
  const pair = await startPair((seen: Seen, response: ServerResponse) => {
    if (seen.message["method"] !== "stream") {
      serveAdd(seen, response);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: {}\n\n");
    setTimeout(() => response.end('data: {"id":0}\n\n'), 30);
  });
  const stream = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "stream" });
  const got = await sendRaw(
    pair.url,
    [request(stream, "", "keep-alive"), request(BAD, "", "keep-alive"), request(GOOD)].join(""),
  );
  const answers = got.split("HTTP/1.1 200 OK").slice(1);
  expect(answers.map((one) => /"id":\d/.exec(one)?.[0])).toEqual(['"id":0', '"id":2', '"id":1']);
  expect(answers[1]).toContain("VAL-001");
  expect(answers[2]).toContain("ran");
  expect(runs(pair)).toBe(1);
});

describe("a head that does not arrive in time", () => {
  test.each([
    ["ends its connection", `${HEAD}X-Slow: `],
    ["ends it before the first byte, too", ""],
  ])("%s", async (_, text) => {
    const pair = await startPair(serveAdd, { headTimeoutMs: 30 });
    expect(await sendRaw(pair.url, text)).toMatch(/^HTTP\/1.1 408 /);
  });

  test("ends no stream and no call that takes longer", async () => {
    const pair = await startPair(
      (seen, response) => void setTimeout(serveAdd, 100, seen, response),
      { headTimeoutMs: 30 },
    );
    expect(await sendRaw(pair.url, request(GOOD))).toContain("ran");
  });
});
