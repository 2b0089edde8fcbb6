import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { ADD, closePairs, sendJson, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { createUpstream } from "./upstream.ts";

afterEach(closePairs);

test("messages that the gate does not handle arrive as they were sent, and so do their answers", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(
      418,
      "Short and stout",
      [
        ["X-Mixed-Case", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2"],
        ["Connection", "x-hop, keep-alive", "X-Hop", "gone", "Content-Type", "text/plain"],
      ].flat(),
    );
    response.end(Buffer.from([0xff, 0x00, 0x80]));
  });
  const sent = httpRequest(new URL("/other/path?q=%20a&q=b", pair.url), {
    method: "PATCH",
    headers: { "X-Twice": ["1", "2"], "X-Own": "kept", Connection: "x-secret", "X-Secret": "gone" },
  });
  sent.end('{ "not" : "touched" }');
  const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  expect(answer.statusCode).toBe(418);
  expect(answer.statusMessage).toBe("I'm a Teapot");
  expect(answer.rawHeaders).toEqual(expect.arrayContaining(["X-Mixed-Case", "Set-Cookie", "b=2"]));
  expect(answer.headers).not.toHaveProperty("x-hop");
  const chunks = await answer.toArray();
  expect(Buffer.concat(chunks as Buffer[])).toEqual(Buffer.from([0xff, 0x00, 0x80]));
  const [seen] = pair.seen;
  expect(seen?.body).toBe('{ "not" : "touched" }');
  expect(seen?.request).toMatchObject({ method: "PATCH", url: "/other/path?q=%20a&q=b" });
  expect(seen?.request.rawHeaders).toEqual(expect.arrayContaining(["X-Twice", "1", "2", "X-Own"]));
  expect(seen?.request.headers).not.toHaveProperty("x-secret");
  expect(seen?.request.headers.host).not.toBe(new URL(pair.url).host);
});

test.each([
  ["a batch", "[1, 2]"],
  ["a number beyond JavaScript's", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}'],
  ["a notification", '{"jsonrpc" : "2.0","method":"notifications/x", "n": 1.0}'],
])("%s is forwarded unchanged", async (_, body) => {
  const pair = await startPair((_seen, response) => response.writeHead(202).end());
  const headers = { "content-type": "application/json" };
  const answer = await fetch(pair.url, { method: "POST", body, headers });
  expect(answer.status).toBe(202);
  expect(pair.seen[0]?.body).toBe(body);
});

test("a body over the size limit is streamed", async () => {
  const pair = await startPair(serveAdd, { maxMessageBytes: 10_000 });
  const call = toolCall(1, "add", { a: "x".repeat(10_000_000) });
  const long = { ...call, method: "prompts/get" };
  expect(await (await pair.post(long)).text()).toContain("ran");
  expect(pair.seen[0]?.body).toBe(JSON.stringify(long));
});

test("a compressed answer is forwarded without being parsed", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}'));
  });
  const answer = await pair.post({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
});

test("compression is declined only if the gate must read the answer", async () => {
  const pair = await startPair(serveAdd);
  await pair.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  await pair.post(toolCall(2, "add", { a: 1, b: 2 }));
  const [list, call] = pair.seen.map(({ request }) => request.headers["accept-encoding"]);
  expect(list).toBe("identity");
  expect(call).toContain("gzip");
});

test("events arrive as they are sent, not when the stream ends", async () => {
  const pair = await startPair((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("id: 1\r\ndata: first\r\n\r\n");
  });
  const answer = await pair.post({ jsonrpc: "2.0", id: 1, method: "ping" });
  const chunk = await answer.body?.getReader().read();
  expect(Buffer.from(chunk?.value ?? []).toString()).toBe("id: 1\r\ndata: first\r\n\r\n");
});

test("an answer that the gate rewrites keeps its event's id", async () => {
  const refusal = { content: [{ type: "text", text: "Input validation error" }], isError: true };
  const pair = await startPair(
    ({ message }, response) => {
      const id = message["id"];
      if (message["method"] === "tools/list") {
        sendJson(response, { jsonrpc: "2.0", id, result: { tools: [ADD] } });
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        `: hi\n\nid: 5\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: refusal })}\n\n`,
      );
    },
    {},
    { mode: "assist" },
  );
  const answer = await (await pair.post(toolCall(1, "add", { a: 1 }))).text();
  expect(answer).toMatch(/^: hi\n\nid: 5\ndata: \{.*VAL-001.*\}\n\n$/);
  expect(pair.count("tools/call")).toBe(1);
});

describe("a server that dies", () => {
  test("before it answers: 502 with the id of the request", async () => {
    const pair = await startPair((_, response) => response.destroy());
    const answer = await pair.post({ jsonrpc: "2.0", id: 5, method: "ping" });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ id: 5, error: { code: -32_603 } });
  });

  test("in a stream of events: the client's breaks off too", async () => {
    const pair = await startPair((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\ndata: ");
      setTimeout(() => response.destroy(), 50);
    });
    const answer = await pair.post({ jsonrpc: "2.0", id: 1, method: "ping" });
    await expect(answer.text()).rejects.toThrow();
  });

  test("in any other body: the client's breaks off too", async () => {
    const pair = await startPair((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 50);
    });
    const answer = await pair.post({ jsonrpc: "2.0", id: 1, method: "ping" });
    await expect(answer.text()).rejects.toThrow();
  });

  test("in a body that the gate reads: 502 instead of half of it", async () => {
    const pair = await startPair((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 50);
    });
    const answer = await pair.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(answer.status).toBe(502);
  });

  test("or was never there: 502 says why", async () => {
    const proxy = await startOn(new URL("http://127.0.0.1:1/mcp"));
    const url = `http://127.0.0.1:${proxy.port}/mcp`;
    const answer = await fetch(url, { method: "POST", body: "{}" });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain("ECONNREFUSED");
  });
});

test("a client that disconnects aborts its request at the server: that is how a call is cancelled", async () => {
  let gone = false;
  const pair = await startPair((_, response) => {
    response.once("close", () => {
      gone = true;
    });
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  });
  const leave = new AbortController();
  await fetch(pair.url, { method: "POST", body: "{}", signal: leave.signal });
  leave.abort();
  await expect.poll(() => gone).toBe(true);
});

test("a client that disconnects within its message sends nothing to the server", async () => {
  const pair = await startPair(serveAdd);
  const { port, host } = new URL(pair.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{"jsonrpc":`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(pair.seen).toHaveLength(0);
});

test("headers for the server go to its endpoint and nowhere else", async () => {
  const pair = await startPair((_, response) => response.end(), {
    headers: [["Authorization", "Bearer of-the-proxy"]],
  });
  const headers = { authorization: "Bearer of-the-client" };
  await fetch(pair.url, { method: "POST", body: "{}", headers });
  await fetch(new URL("/.well-known/oauth-protected-resource/mcp", pair.url), { headers });
  expect(pair.seen.map(({ request }) => request.headers.authorization)).toEqual([
    "Bearer of-the-proxy",
    "Bearer of-the-client",
  ]);
});

test("a rebound name or a foreign web page reaches nothing", async () => {
  const pair = await startPair((_, response) => response.end());
  for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
    const sent = httpRequest(pair.url, { method: "POST", headers: { ...headers } });
    sent.end("{}");
    const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    expect(answer.statusCode).toBe(403);
    expect(await text(answer)).toContain("--allow-");
  }
  expect(pair.seen).toHaveLength(0);
});

test("the upstream's query joins the client's", async () => {
  const pair = await startPair((_, response) => response.end());
  const { port } = new URL(pair.url);
  const upstream = createUpstream(new URL(`http://127.0.0.1:${port}/mcp?profile=a`));
  const outer = await startOn(upstream.url, { upstream, endpoint: "/x" });
  await fetch(`http://127.0.0.1:${outer.port}/x?session=b`, { method: "POST", body: "{}" });
  expect(pair.seen[0]?.request.url).toBe("/mcp?profile=a&session=b");
});
