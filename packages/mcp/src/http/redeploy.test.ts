import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { type ReadingServer, sdkServer, serveOn } from "../testing/reading-servers.ts";
import type { TestTool } from "../testing/test-servers.ts";
import { createUpstream, responseTo } from "./upstream.ts";

const running: ReadingServer[] = [];
afterEach(async () => {
  await closePairs();
  for (const { close } of running.splice(0)) close();
});

function release(type: string): readonly TestTool[] {
  const inputSchema = { type: "object", required: ["n"], properties: { n: { type } } };
  return [{ name: "count", inputSchema, run: () => ({ text: `ran, n is a ${type}` }) }];
}

async function call(port: number, n: unknown): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    body: JSON.stringify(toolCall(1, "count", { n })),
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  });
  return answer.text();
}

test.each([
  ["at once", false],
  ["after it could not be reached", true],
])(
  "a stateless server that is deployed anew with another schema gets no valid call refused, %s",
  async (_, isDown) => {
    // Time stands still: nothing expires by itself.
    const gate = createGate({ logger: () => undefined, clock: () => 0 });
    const before = await sdkServer(() => release("object"));
    const { port } = await startOn(before.url, { gate });
    expect(await call(port, "one")).toContain("attempt 1/3");
    expect(await call(port, {})).toContain("ran, n is a object");

    before.close();
    // The proxy sees the end of its connection a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (isDown) expect(await call(port, {})).toContain("could not be reached");
    running.push(await sdkServer(() => release("array"), Number(before.url.port)));

    expect(await call(port, [])).toContain("ran, n is a array");
    expect(await call(port, {})).toContain("attempt 1/3");
  },
);

test("a server that changes its tools without a word refuses no valid call after some seconds", async () => {
  let now = 0;
  let type = "object";
  const gate = createGate({ logger: () => undefined, clock: () => now });
  const server = await sdkServer(() => release(type));
  running.push(server);
  const { port } = await startOn(server.url, { gate });
  expect(await call(port, [])).toContain("attempt 1/3");
  type = "array";
  now = 5_000;
  expect(await call(port, [])).toContain("ran, n is a array");
});

describe("the end of a connection", () => {
  test.each<[what: string, takesMs: number, isEndedBy: "server" | "time", isLost: boolean]>([
    ["by the server is a loss", 0, "server", true],
    ["by the server is one after a call that took long, too", 60, "server", true],
    ["that was idle is not a loss", 0, "time", false],
    ["that was idle after a long call is not a loss", 60, "time", false],
  ])("%s", async (_, takesMs, isEndedBy, isLost) => {
    const server = await serveOn((__, response) => void setTimeout(() => response.end(), takesMs));
    running.push(server);
    const upstream = createUpstream(server.url, undefined, 20);
    let losses = 0;
    upstream.onLost(() => (losses += 1));
    const request = upstream.start({ method: "GET", path: "/mcp", headers: [] });
    request.end();
    const answer = await responseTo(request);
    const closed = once(answer.socket, "close");
    await once(answer.resume(), "end");
    if (isEndedBy === "server") server.close();
    await closed;
    expect(losses).toBe(isLost ? 1 : 0);
  });
});
