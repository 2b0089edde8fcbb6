import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ADD, closePairs, startOn } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

let seen: unknown[] = [];
beforeEach(() => {
  seen = [];
});

/** A proxy in front of a server that closes each connection when its second request comes. */
async function startClosing(): Promise<string> {
  const used = new WeakSet<object>();
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const { id, method } = JSON.parse(text) as { id: unknown; method: string };
      seen.push(method);
      if (used.has(request.socket)) {
        request.socket.destroy();
        return;
      }
      used.add(request.socket);
      const result = method === "tools/list" ? { tools: [ADD] } : {};
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    })();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${(await startOn(new URL(`http://127.0.0.1:${port}/mcp`))).port}/mcp`;
}

const post = async (url: string, message: object): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  });
const request = (method: string): object => ({ jsonrpc: "2.0", id: 1, method, params: {} });

test.each(["tools/list", "ping", "initialize", "prompts/list"])(
  "%s is sent again if the server closes an idle connection at that moment",
  async (method) => {
    const url = await startClosing();
    for (let sent = 0; sent < 4; sent += 1) {
      expect((await post(url, request(method))).status).toBe(200);
    }
  },
);

test("the gate's own list is sent again, too", async () => {
  const url = await startClosing();
  await post(url, request("ping"));
  const refused = await post(url, toolCall(2, "add", {}));
  expect(await refused.text()).toContain("VAL-001");
  expect(seen).toEqual(["ping", "tools/list", "tools/list"]);
});

test.each(["tools/call", "completion/complete", "tasks/cancel"])(
  "%s is not: it may have run",
  async (method) => {
    const url = await startClosing();
    await post(url, request("tools/list"));
    const message = method === "tools/call" ? toolCall(2, "add", { a: 1, b: 2 }) : request(method);
    expect((await post(url, message)).status).toBe(502);
    expect(seen).toEqual(["tools/list", method]);
  },
);
