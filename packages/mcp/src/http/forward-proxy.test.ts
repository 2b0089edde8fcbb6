import { once } from "node:events";
import { readFileSync } from "node:fs";
import http, { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { closePairs, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { unusedProxy } from "./forward-proxy.ts";
import { createUpstream } from "./upstream.ts";

afterEach(closePairs);

/** Whether this Node can send requests through a forward proxy. */
const canForward = hasProxyEnv();

function hasProxyEnv(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** A forward proxy that sends everything to one port, and what it was asked for. */
async function startForwardProxy(port: number) {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? "");
    const { pathname } = new URL(request.url ?? "");
    const { method, headers } = request;
    const on = http.request({ port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(on);
  });
  proxy.on("connect", ({ url }, socket) => {
    seen.push(`CONNECT ${url}`);
    socket.end("HTTP/1.1 502 No\r\n\r\n");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { seen, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

async function postThrough(url: string, proxyEnv: NodeJS.ProcessEnv, message: object) {
  const upstream = createUpstream(new URL(url), undefined, undefined, proxyEnv);
  const gate = createGate({ logger: false });
  const { port } = await startOn(upstream.url, { gate, upstream });
  return fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(message),
  });
}

describe.skipIf(!canForward)("through a forward proxy", () => {
  test("a server is asked, calls are judged, and NO_PROXY is obeyed", async () => {
    const pair = await startPair(serveAdd);
    // The server itself, without its own proxy.
    const direct = pair.seen;
    await pair.post({ jsonrpc: "2.0", id: 1, method: "ping" });
    const port = Number(direct[0]?.request.headers.host?.split(":")[1]);
    const { seen, url } = await startForwardProxy(port);
    const good = toolCall(2, "add", { a: 1, b: 2 });
    const answer = await postThrough("http://tools.example.test/mcp", { HTTP_PROXY: url }, good);
    expect(await answer.text()).toContain("ran");
    const bad = toolCall(3, "add", { a: [], b: 2 });
    const refused = await postThrough("http://tools.example.test/mcp", { HTTP_PROXY: url }, bad);
    expect(await refused.text()).toContain("VAL-002");
    expect(new Set(seen)).toEqual(new Set(["http://tools.example.test/mcp"]));
    const near = { HTTP_PROXY: url, NO_PROXY: "127.0.0.1" };
    await postThrough(`http://127.0.0.1:${port}/mcp`, near, good);
    expect(new Set(seen).size).toBe(1);
  });

  test("a server with TLS is asked for by a tunnel, whose refusal is a 502", async () => {
    const { seen, url } = await startForwardProxy(0);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const answer = await postThrough("https://tools.example.test/mcp", { HTTPS_PROXY: url }, call);
    expect(answer.status).toBe(502);
    expect(seen).toEqual(["CONNECT tools.example.test:443"]);
  });
});

test.each<[string, NodeJS.ProcessEnv, string | undefined]>([
  ["https://tools.example.test/mcp", { HTTPS_PROXY: "http://p:1" }, "HTTPS_PROXY"],
  ["http://tools.example.test/mcp", { http_proxy: "http://p:1" }, "http_proxy"],
  ["http://tools.example.test/mcp", { HTTPS_PROXY: "http://p:1" }, undefined],
  ["http://tools.example.test/mcp", { HTTP_PROXY: "" }, undefined],
  ["http://127.0.0.1:1/mcp", { HTTP_PROXY: "http://p:1" }, undefined],
])("a proxy that is set and not used is named: %s, %j", (url, env, name) => {
  expect(unusedProxy(new URL(url), env)).toBe(name);
});

test.skipIf(process.platform !== "linux")(
  "the system asks after clients that are silent, as after servers",
  async () => {
    const pair = await startPair(serveAdd);
    const { port } = new URL(pair.url);
    const socket = net.connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    const own = Number(port).toString(16).toUpperCase().padStart(4, "0");
    const timers = (): readonly string[] =>
      readFileSync("/proc/net/tcp", "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local = "", , state]) => local.endsWith(`:${own}`) && state === "01")
        .map(([, , , , , timer = ""]) => timer.slice(0, 2));
    // 02 is that of keep-alive.
    await expect.poll(timers).toEqual(["02"]);
  },
);
