import { describe, expect, test } from "vitest";
import { addServer, HELLO, toolCall } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import type { Proxy } from "../testing/proxy-streams.ts";
import { runMain } from "../testing/run-main.ts";
import { runProxy } from "../testing/run-proxy.ts";

const TIMED_OUT = { isError: true, content: [{ type: "text", text: "(tool failed: timeout)" }] };
const SUM = 'reply(m, { content: [{ type: "text", text: "3" }] })';

/** Answers a call only after it has seen its cancel. */
const LATE = `globalThis.late = () => { ${SUM}; write("answered late"); };`;
// A server that starts slowly gets a call and its cancel in one chunk, and reads the call after this.
const onMessage = `process.stdin.on("data", (chunk) => {
  if (chunk.includes("notifications/cancelled")) setImmediate(() => globalThis.late());
});`;

const call = (id: number): object => toolCall(id, "add", { a: 1, b: 2 });

function answersTo(proxy: Proxy, id: number): readonly string[] {
  const lines = proxy.output().toString().split("\n");
  return lines.filter((line) => line.includes(`"id":${id}`));
}

describe("a call over its time", () => {
  test("is answered; the server gets the cancel, and its late response is dropped", async () => {
    const source = `${onMessage}${addServer({ onCall: LATE })}`;
    const proxy = runProxy(["--tool-timeout", "50ms", ...script(source)]);
    proxy.send(...HELLO, call(1));
    expect((await proxy.answer(1)).result).toEqual(TIMED_OUT);
    await proxy.line((line) => line.includes("answered late"));
    expect(answersTo(proxy, 1)).toHaveLength(1);
    expect(proxy.errors()).toContain("Tool call timed out");
  });

  test("does not hold up the end of the proxy", async () => {
    const proxy = runProxy([
      "--grace=1h",
      "--tool-timeout=50ms",
      ...script(addServer({ onCall: "" })),
    ]);
    proxy.send(...HELLO, call(1));
    proxy.endInput();
    expect((await proxy.answer(1)).result).toEqual(TIMED_OUT);
    expect([0, 143]).toContain(await proxy.exited);
  });
});

test("calls of a queue wait for each other, and a call over its time gives its place back", async () => {
  // Counts the calls that run at once; the first is never answered.
  const source = addServer({
    onCall: `globalThis.seen = [...(globalThis.seen ?? []), m.id];
      if (m.id !== 1) reply(m, { content: [{ type: "text", text: globalThis.seen.join() }] });`,
  });
  const proxy = runProxy([
    "--queue=slow=1",
    "--queue-of=add=slow",
    "--tool-timeout=100ms",
    ...script(source),
  ]);
  proxy.send(...HELLO, call(1), call(2), call(3));
  expect((await proxy.answer(2)).result?.content?.[0]?.text).toBe("1,2");
  expect((await proxy.answer(3)).result?.content?.[0]?.text).toBe("1,2,3");
  const order = proxy.output().toString().split("\n");
  const at = (id: number): number => order.findIndex((line) => line.includes(`"id":${id}`));
  expect(at(1)).toBeLessThan(at(2));
  expect(at(2)).toBeLessThan(at(3));
});

test("a result over the limit is cut, and the log says so", async () => {
  const onCall = 'reply(m, { content: [{ type: "text", text: "é€😀".repeat(400) }] })';
  const proxy = runProxy(["--tool-response-max-bytes", "101", ...script(addServer({ onCall }))]);
  proxy.send(...HELLO, call(1));
  expect((await proxy.answer(1)).result?.content).toEqual([
    {
      type: "text",
      text: `[TRUNCATED] Original size 3600 bytes; truncated to 101 bytes.\n${"é€😀".repeat(11)}é`,
    },
  ]);
  await expect.poll(proxy.errors).toContain("Tool result truncated");
});

test("a result over --max-body is cut too", async () => {
  const onCall = 'reply(m, { content: [{ type: "text", text: "x".repeat(100_000) }] })';
  const flags = ["--max-body=1kb", "--tool-response-max-bytes=4"];
  const proxy = runProxy([...flags, ...script(addServer({ onCall }))]);
  proxy.send(...HELLO, call(1));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe(
    "[TRUNCATED] Original size 100000 bytes; truncated to 4 bytes.\nxxxx",
  );
});

test("a tool in a queue that is not defined ends the command", async () => {
  const { code, errors } = await runMain(["--queue-of", "add=nope", ...script(addServer())]);
  expect(code).toBe(4);
  expect(errors).toContain('queue "nope" is not defined; known queues: default');
});
