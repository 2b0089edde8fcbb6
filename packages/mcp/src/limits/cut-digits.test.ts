import { afterEach, describe, expect, test } from "vitest";
import { closePairs, serveAdd, startPair } from "../testing/http-proxy.ts";
import { addServer, HELLO, toolCall } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runProxy } from "../testing/run-proxy.ts";

afterEach(closePairs);

// JSON.rawJSON writes a number as it was read.
const canWrite = "rawJSON" in JSON;
const ROW = '"structuredContent":{"row":36028797018963971}';
const META = '"_meta":{"at":12345678901234567890}';
const answerTo = (id: unknown): string =>
  `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[{"type":"text","text":"${"line ".repeat(100)}"}],${ROW},${META}}}`;

describe.skipIf(!canWrite)("a cut result keeps small structured content and all digits", () => {
  const kept = (text: string): readonly boolean[] =>
    ["[TRUNCATED]", ROW, META, "isError"].map((words) => text.includes(words));
  const WHOLE = [true, true, true, false];

  test.each([
    ["JSON", "application/json", (text: string) => text],
    ["events", "text/event-stream", (text: string) => `id: 1\ndata: ${text}\n\n`],
  ])("over HTTP, as %s", async (_, type, frame) => {
    const pair = await startPair(
      (seen, response) => {
        if (seen.message["method"] !== "tools/call") return serveAdd(seen, response);
        response.writeHead(200, { "content-type": type }).end(frame(answerTo(2)));
      },
      {},
      { toolResponseMaxBytes: 90 },
    );
    const answer = await pair.post(toolCall(2, "add", { a: 1, b: 2 }));
    expect(kept(await answer.text())).toEqual(WHOLE);
  });

  test("over stdio", async () => {
    const onCall = `write(${JSON.stringify(answerTo(2))})`;
    const flags = ["--tool-response-max-bytes", "90"];
    const proxy = runProxy([...flags, ...script(addServer({ onCall }))]);
    proxy.send(...HELLO, toolCall(2, "add", { a: 1, b: 2 }));
    const answer = await proxy.line((line) => line.includes('"id":2'));
    expect(kept(answer)).toEqual(WHOLE);
  });
});
