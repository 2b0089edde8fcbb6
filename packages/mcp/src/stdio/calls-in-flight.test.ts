import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { isWhole } from "@toolcontract/case-table/whole";
import { afterEach, describe, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import {
  endProxies,
  type ProxyProcess,
  proxyCommand,
  script,
  startProxy,
} from "../testing/proxy-process.ts";
import { runProxy } from "../testing/run-proxy.ts";

afterEach(endProxies);

const CALL = toolCall(1, "add", { a: 1, b: 2 });
const SUM = 'reply(m, { content: [{ type: "text", text: "3" }] })';
/** Ends at the end of its input, whatever it is doing. */
const hasty = (onCall: string): string =>
  `process.stdin.once("end", () => process.exit());
  ${addServer({ onCall: `write("called"); ${onCall}` })}`;
const SLOW = hasty(`setTimeout(() => ${SUM}, 1500)`);
const SILENT = hasty("");

/** By the end of its input, or on a busy machine by the SIGTERM that follows. */
const ENDED: readonly unknown[] = [0, 143];

/** Starts a server and waits until it has the call. */
async function called(source: string, ...flags: readonly string[]): Promise<ProxyProcess> {
  const proxy = startProxy(["--grace", "1h", ...flags, ...script(source)]);
  proxy.send(CALL);
  await proxy.line((line) => line === "called");
  return proxy;
}

const ask = (proxy: ProxyProcess, how: "end of input" | NodeJS.Signals): void => {
  if (how === "end of input") proxy.child.stdin?.end();
  else proxy.child.kill(how);
};

/** Sends a request that is refused because the proxy is stopping. */
async function refused(proxy: ProxyProcess): Promise<void> {
  await expect
    .poll(async () => {
      const id = Math.random();
      proxy.send({ jsonrpc: "2.0", id, method: "tools/list" });
      return (await proxy.answer(id)).error?.message;
    })
    .toBe("The proxy is shutting down; the request was not forwarded.");
}

const WAYS = ["end of input", "SIGTERM", "SIGINT"] as const;

describe.each(isWhole ? WAYS : WAYS.slice(0, 2))("after %s", (how) => {
  test("a call in flight is answered, and then the server ends", async () => {
    const proxy = await called(SLOW);
    ask(proxy, how);
    expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("3");
    expect(ENDED).toContain(await proxy.exited);
  });

  test("the proxy is healthy until then, but not ready, and a signal ends it at once", async () => {
    const proxy = await called(SILENT, "--metrics-port", "0", "--log-level", "info");
    const metrics = /http:[^"]+\/metrics/.exec(proxy.errors())?.[0] ?? "";
    const status = async (path: string): Promise<number> =>
      (await fetch(new URL(path, metrics))).status;
    expect(await status("/readyz")).toBe(200);
    ask(proxy, how);
    await expect.poll(async () => status("/readyz")).toBe(503);
    expect(await status("/healthz")).toBe(200);
    if (how !== "end of input") await refused(proxy);
    proxy.child.kill("SIGTERM");
    expect(ENDED).toContain(await proxy.exited);
  });

  test("a call that takes longer than --grace is not waited for", async () => {
    const proxy = await called(SILENT, "--grace", "300ms");
    ask(proxy, how);
    expect((await proxy.answer(1)).error?.message).toContain("the outcome of this call is unknown");
    expect(ENDED).toContain(await proxy.exited);
  });

  test("a request that has no answer of its own is not waited for", async () => {
    const proxy = await called(SILENT);
    const requestId = 1;
    proxy.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    proxy.send({ jsonrpc: "2.0", id: 2, method: "subscriptions/listen", params: {} });
    await proxy.line((line) => line.includes("saw subscriptions/listen"));
    ask(proxy, how);
    expect(ENDED).toContain(await proxy.exited);
  });
});

test("a question of the server is still answered after a signal, but a new request is refused", async () => {
  const question = `write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "roots/list" }));
    process.stdin.on("data", (line) => { if (String(line).includes("roots")) ${SUM} });`;
  const proxy = await called(hasty(question));
  await proxy.line((line) => line.includes("roots/list"));
  proxy.child.kill("SIGTERM");
  await refused(proxy);
  proxy.send({ jsonrpc: "2.0", id: 1, result: { roots: [] } });
  await proxy.line((line) => line.includes('"text":"3"'));
  expect(ENDED).toContain(await proxy.exited);
});

test("a last line without its line feed reaches the server, which reads it at the end", async () => {
  const proxy = runProxy(script(addServer()));
  proxy.endInput(JSON.stringify(CALL));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("3");
  expect(ENDED).toContain(await proxy.exited);
});

test("requests before the server has started are answered", async () => {
  const late = `setTimeout(() => { ${addServer()} }, 1500)`;
  const proxy = runProxy(script(late));
  proxy.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  proxy.endInput();
  expect((await proxy.answer(1)).result?.tools).toHaveLength(1);
  expect(ENDED).toContain(await proxy.exited);
});

test("the official client gets its answer from the official server after SIGTERM", async () => {
  const { resolve } = createRequire(import.meta.url);
  const root = dirname(resolve("@modelcontextprotocol/server-everything/package.json"));
  const command = proxyCommand(["--", process.execPath, join(root, "dist", "index.js")]);
  const env = { TOOLCONTRACT_CONFIG: "off" };
  const transport = new StdioClientTransport({ ...command, env, stderr: "ignore" });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  let steps = 0;
  const call = client.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 2, steps: 4 } },
    undefined,
    { onprogress: ({ progress }) => void (steps = progress) },
  );
  await expect.poll(() => steps).toBeGreaterThan(0);
  process.kill(transport.pid ?? 0, "SIGTERM");
  expect(await call).toMatchObject({
    content: [{ text: expect.stringContaining("completed") as string }],
  });
  await client.close();
});

test("the official client leaves nothing behind when it closes, also if a call hangs and the server ignores signals", async () => {
  const stubborn = `for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => {});
    setInterval(() => {}, 1000);
    const pid = { content: [{ type: "text", text: String(process.pid) }] };
    ${addServer({ onCall: "if (m.params.arguments.a === 1) reply(m, pid)" })}`;
  const env = { TOOLCONTRACT_CONFIG: "off" };
  const transport = new StdioClientTransport({
    ...proxyCommand(script(stubborn)),
    env,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 1 } });
  const pid = Number((content as readonly { readonly text: string }[])[0]?.text);
  const hanging = client.callTool({ name: "add", arguments: { a: 2, b: 2 } });
  hanging.catch(() => undefined);
  await client.close();
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isAlive).toBe(false);
});
