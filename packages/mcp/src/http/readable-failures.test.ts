import { afterEach, expect, test } from "vitest";
import { ADD, closePairs, sendJson, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

const ORIGIN = "http://localhost:3000";
const readable = (response: Response) => [
  response.status,
  response.headers.get("access-control-allow-origin"),
  response.headers.get("access-control-allow-credentials"),
];

test.each<[string, object, readonly unknown[]]>([
  ["an allowed page reads", { origin: ORIGIN }, [502, ORIGIN, null]],
  ["with its cookies, too", { origin: ORIGIN, cookie: "a=b" }, [502, ORIGIN, "true"]],
  ["a program gets", {}, [502, null, null]],
  ["another page does not read", { origin: "http://evil.test" }, [403, null, null]],
])("the proxy's own failure: %s", async (_, headers, seen) => {
  const { port } = await startOn(new URL("http://127.0.0.1:1/mcp"));
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(toolCall(1, "add", {})),
  });
  expect(readable(response)).toEqual(seen);
});

test("a refusal can be read by an allowed page that sends cookies", async () => {
  const pair = await startPair(serveAdd);
  const response = await pair.post(toolCall(1, "add", {}), { origin: ORIGIN, cookie: "a=b" });
  expect(readable(response)).toEqual([200, ORIGIN, "true"]);
});

test("a bad call of a session that was deleted gets what a good one gets", async () => {
  let isGone = false;
  const pair = await startPair((seen, response) => {
    const { method, id } = seen.message;
    if (seen.request.method === "DELETE") isGone = true;
    if (isGone) response.writeHead(seen.request.method === "DELETE" ? 200 : 404).end();
    else if (method === "tools/list") {
      sendJson(response, { jsonrpc: "2.0", id, result: { tools: [ADD] } });
    } else serveAdd(seen, response);
  });
  const session = { "mcp-session-id": "s" };
  await pair.post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, session);
  await fetch(pair.url, { method: "DELETE", headers: session });
  for (const args of [{ a: 1, b: 2 }, {}]) {
    expect((await pair.post(toolCall(2, "add", args), session)).status).toBe(404);
  }
});
