import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { ADD, closePairs, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MEGABYTE = 1_000_000;
const TOOLS = 16;
const DESCRIPTION = JSON.stringify("z\n".repeat(MEGABYTE / 3));
const PATIENT = { listTimeoutMs: 60_000 };

function memory(): number {
  collect();
  // The first leaves the sweeping of buffers to another thread.
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Sends a list, one tool of a megabyte after the other, as far as it is taken. */
async function sendSlowly(response: ServerResponse, parts: Iterable<string>): Promise<void> {
  for (const part of parts) {
    if (!response.write(part)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
}

function* listOf(id: unknown, onPart: () => void): Iterable<string> {
  yield `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[`;
  for (let index = 0; index < TOOLS; index += 1) {
    if (index % 5 === 0) onPart();
    yield `{"name":"long${index}","description":${DESCRIPTION}}`;
    yield ",";
  }
  yield `${JSON.stringify(ADD)}]}}`;
}

function* asEvent(parts: Iterable<string>): Iterable<string> {
  yield "event: message\ndata: ";
  yield* parts;
  yield "\n\n";
}

test.each([
  ["in JSON", "application/json", (parts: Iterable<string>) => parts],
  ["as an event", "text/event-stream", asEvent],
])("a list of 16 MB is never held, %s, and its last tool is judged", async (_, type, form) => {
  let before = 0;
  let most = 0;
  const watch = (): void => {
    before ||= memory();
    most = Math.max(most, memory() - before);
  };
  const pair = await startPair(
    (seen, response) => {
      if (seen.message["method"] !== "tools/list") return serveAdd(seen, response);
      response.writeHead(200, { "content-type": type });
      return void sendSlowly(response, form(listOf(seen.message["id"], watch)));
    },
    PATIENT,
    PATIENT,
  );
  const answer = await pair.post(toolCall(1, "add", { a: 1 }));
  expect(await answer.text()).toContain("VAL-001");
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(9 * MEGABYTE);
});
