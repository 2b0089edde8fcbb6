import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { ADD, closePairs, sendJson, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

const MOST = 100_000;

function sendEvents(response: ServerResponse, message: object): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
  response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

test.each<[what: string, length: number, send: typeof sendJson, failOpen: boolean, answer: string]>(
  [
    ["within its limit, judges", 0.9 * MOST, sendJson, true, "VAL-001"],
    ["within its limit, as an event, judges", 0.9 * MOST, sendEvents, true, "VAL-001"],
    ["over its limit is none, and the call runs unjudged", 2 * MOST, sendJson, true, "ran"],
    ["over its limit, as an event, is none", 2 * MOST, sendEvents, true, "ran"],
    [
      "over its limit is none, and with failOpen false nothing runs",
      2 * MOST,
      sendJson,
      false,
      "016",
    ],
    ["over its limit, as an event, with failOpen false", 2 * MOST, sendEvents, false, "016"],
  ],
)("a list of tools %s", async (_, length, send, failOpen, answer) => {
  const log: string[] = [];
  const pair = await startPair(
    (seen, response) => {
      if (seen.message["method"] !== "tools/list") return serveAdd(seen, response);
      const tools = [{ ...ADD, description: "z".repeat(length) }];
      return send(response, { jsonrpc: "2.0", id: seen.message["id"], result: { tools } });
    },
    { maxAnswerBytes: MOST },
    { failOpen, logger: (fields) => log.push(JSON.stringify(fields)) },
  );
  const text = await (await pair.post(toolCall(1, "add", { a: 1 }))).text();
  expect(text).toContain(answer);
  const isOver = length > MOST;
  expect(log.join("\n").includes("ToolListTooLarge")).toBe(isOver);
  expect(pair.gate.unvalidated()).toEqual(
    isOver ? [{ reason: "tool-list", outcome: failOpen ? "forwarded" : "refused", count: 1 }] : [],
  );
});
