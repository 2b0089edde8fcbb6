import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";

afterEach(endProxies);

const metricsFile = join(mkdtempSync(join(tmpdir(), "toolcontract-")), "metrics.prom");
const DROPPED =
  /^\{"level":"warn","message":"Lines on standard error were dropped: nobody read it","lines":(\d+),"server":"node"\}$/m;
/** Twice what may wait in the proxy and in the pipes, however much of it is still on its way. */
const NOISE = 500_000;
const bad = Array.from({ length: 1_000 }, (_, id) => toolCall(id, "add", {}));

test("rejections are answered although nobody reads their log lines, which are dropped and counted", async () => {
  const noisy = `process.stderr.write("noise\\n".repeat(${NOISE})); ${addServer()}`;
  const proxy = startProxy(["--metrics-file", metricsFile, ...script(noisy)]);
  proxy.child.stderr?.pause();
  proxy.send(...bad, toolCall("good", "add", { a: 1, b: 2 }));
  for (const id of [0, 500, 999]) expect((await proxy.answer(id)).result?.isError).toBe(true);
  expect((await proxy.answer("good")).result?.content?.[0]?.text).toBe("3");

  proxy.child.stderr?.resume();
  await expect.poll(() => DROPPED.test(proxy.errors())).toBe(true);
  proxy.child.stdin?.end();
  await proxy.exited;
  const lost = Number(DROPPED.exec(proxy.errors())?.[1]);
  expect(lost).toBeGreaterThan(0);
  // The line about them is one more, and it may end a line that was cut.
  const all = NOISE + bad.length + 1;
  expect([all, all + 1]).toContain(lost + proxy.errors().split("\n").length - 1);
  const metrics = readFileSync(metricsFile, "utf8");
  expect(metrics).toContain(`\ntoolcontract_dropped_log_lines_total ${lost}\n`);
});

test.each([
  ["that writes without waiting", 'process.stderr.write("x".repeat(99) + "\\n")'],
  ["that waits for its reader", 'require("node:fs").writeSync(2, "x".repeat(99) + "\\n")'],
])("a server %s is not stopped by standard error that nobody reads", async (_, write) => {
  const onCall = `for (let n = 0; n < 15_000; n += 1) ${write};
    reply(m, { content: [{ type: "text", text: "done" }] })`;
  const proxy = startProxy(script(addServer({ onCall })));
  proxy.child.stderr?.pause();
  const exited = once(proxy.child, "exit");
  proxy.send(toolCall(1, "add", { a: 1, b: 2 }));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("done");
  proxy.child.stdin?.end();
  expect([0, 143]).toContain((await exited)[0]);
});

test("what a server writes before it ends arrives whole", async () => {
  const proxy = startProxy(script('process.stderr.write("x".repeat(900_000))'));
  expect(await proxy.exited).toBe(0);
  expect(proxy.errors()).toHaveLength(900_000);
});
