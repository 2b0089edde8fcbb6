import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { StdioServerConfig } from "../settings/index.ts";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ChildTransport } from "./child-transport.ts";

import { ended, groupOf, isAlive, mcpProgram, program } from "./testing/programs.ts";

const isWindows = process.platform === "win32";

const open: ChildTransport[] = [];
afterAll(() => {
  for (const transport of open.splice(0)) transport.kill();
});

interface Child {
  readonly transport: ChildTransport;
  readonly got: JSONRPCMessage[];
  readonly closed: () => void;
}

function child(server: StdioServerConfig, env: Readonly<Record<string, string>> = {}): Child {
  const transport = new ChildTransport(server, import.meta.dirname, env);
  open.push(transport);
  const got: JSONRPCMessage[] = [];
  const closed = vi.fn<() => void>();
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => got.push(message) });
  Object.assign(transport, { onclose: closed });
  return { transport, got, closed };
}

const ask = (id: number): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "pid" },
});

/** The id of the process that answers. */
async function pidOf({ transport, got }: Child): Promise<number> {
  await transport.send(ask(1));
  await vi.waitFor(() => expect(got.length).toBeGreaterThan(0), 10_000);
  return Number(/"text":"(\d+)"/u.exec(JSON.stringify(got))?.[1]);
}

const STUBBORN = 'process.on("SIGTERM", () => undefined);';
const DEAF = "setInterval(() => undefined, 1_000);";
/** A server below a launcher, which waits for it, as npx and shells do. */
const launched = (first: string): StdioServerConfig =>
  program(
    `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(mcpProgram({ first }))}], { stdio: "inherit" });`,
  );

describe.concurrent("a server is ended", () => {
  test.each<[string, StdioServerConfig]>([
    ["with the end of its input", program(mcpProgram())],
    ["if it ignores that", program(mcpProgram({ first: DEAF }))],
    ["if it ignores SIGTERM too", program(mcpProgram({ first: DEAF + STUBBORN }))],
    ["below a launcher", launched("")],
    ["below a launcher, if it ignores the end of its input", launched(DEAF)],
    ["below a launcher, if it ignores SIGTERM too", launched(DEAF + STUBBORN)],
  ])("%s", { timeout: 20_000 }, async (_, server) => {
    const one = child(server);
    await one.transport.start();
    const pid = await pidOf(one);
    await one.transport.close();
    await ended(pid);
    expect(one.closed).toHaveBeenCalledOnce();
    expect(one.transport.end).toMatch(/^(exited with code 0|was ended by SIG(TERM|KILL))$/u);
  });

  test.each<[string, StdioServerConfig]>([
    ["that ignores everything else", program(mcpProgram({ first: DEAF + STUBBORN }))],
    ["below a launcher", launched(DEAF + STUBBORN)],
  ])("at once %s", async (_, server) => {
    const one = child(server);
    await one.transport.start();
    const pid = await pidOf(one);
    one.transport.kill();
    await ended(pid);
    await vi.waitFor(() => expect(one.closed).toHaveBeenCalledOnce(), 20_000);
  });

  test("before it has started, and twice", async () => {
    const one = child(program(mcpProgram()));
    await one.transport.close();
    one.transport.kill();
    await one.transport.start();
    await Promise.all([one.transport.close(), one.transport.close()]);
    expect(one.closed).toHaveBeenCalledOnce();
  });
});

describe("a server that ends by itself", () => {
  test.each<[string, string, string]>([
    ["with a code", "process.exit(3)", "exited with code 3"],
    ["by a signal", 'process.kill(process.pid, "SIGKILL")', "was ended by SIGKILL"],
  ])("says how: %s", async (_, onCall, end) => {
    const one = child(program(mcpProgram({ onCall })));
    await one.transport.start();
    await one.transport.send(ask(1));
    await vi.waitFor(() => expect(one.closed).toHaveBeenCalledOnce(), 20_000);
    expect(one.transport.end).toBe(end);
    await expect(one.transport.send(ask(2))).rejects.toThrow("Not connected");
  });

  test("is over although something that it started keeps its output open", async () => {
    const onCall = `
      const helper = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(DEAF)}], { stdio: "inherit" });
      write({ method: "notifications/message", params: { level: "info", data: { text: String(helper.pid) } } });
      setImmediate(() => process.exit(0));`;
    const one = child(program(mcpProgram({ onCall })));
    await one.transport.start();
    const helper = await pidOf(one);
    await vi.waitFor(() => expect(one.closed).toHaveBeenCalledOnce(), 10_000);
    expect(isAlive(helper)).toBe(true);
    await one.transport.close();
    await ended(helper);
  });
});

describe("what a server writes", () => {
  test("to its standard error never stops it, and the last ten lines are kept", async () => {
    const onCall = `
      const line = "x".repeat(1_000) + "\\n";
      for (let count = 0; count < 10_000; count += 1) process.stderr.write(line);
      process.stderr.write("\\n\\nlast " + "é".repeat(10) + "\\n", () => reply(m, { content: [] }));`;
    const one = child(program(mcpProgram({ onCall })));
    await one.transport.start();
    await one.transport.send(ask(1));
    await vi.waitFor(() => expect(one.got).toHaveLength(1), 20_000);
    await vi.waitFor(
      () => expect(one.transport.lastLines.at(-1)).toBe(`last ${"é".repeat(10)}`),
      20_000,
    );
    expect(one.transport.lastLines.length).toBeLessThanOrEqual(10);
    expect(one.transport.lastLines.join("").length).toBeLessThanOrEqual(8_192);
  }, 30_000);

  test("beside the protocol is passed over", async () => {
    const first = 'process.stdout.write("added 3 packages\\n{}\\n[1]\\n");';
    const one = child(program(mcpProgram({ first })));
    const onerror = vi.fn<(error: Error) => void>();
    Object.assign(one.transport, { onerror });
    await one.transport.start();
    expect(await pidOf(one)).toBeGreaterThan(0);
    expect(onerror).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["with its id first", '"jsonrpc":"2.0","id":1,"result":{"x":"', '"}'],
    ["with its id last", '"result":{"x":"', '"},"id":1,"jsonrpc":"2.0"'],
    ["with no id to be found", '"result":{"x":"', '"},"id":1,"z":{"x":"'.padEnd(2_000, "y") + '"}'],
  ])(
    "in one message that is too long, %s, is answered so, and the server stays",
    async (_, start, end) => {
      const big = `"{" + ${JSON.stringify(start)} + "x".repeat(11_000_000) + ${JSON.stringify(end)} + "}\\n"`;
      const onCall = `m.id === 1 ? process.stdout.write(${big}) : reply(m, { content: [{ type: "text", text: "here" }] })`;
      const one = child(program(mcpProgram({ onCall })));
      await one.transport.start();
      await one.transport.send(ask(1));
      await vi.waitFor(() => expect(one.got).toHaveLength(1), 20_000);
      expect(one.got[0]).toMatchObject({
        id: 1,
        error: { message: expect.stringContaining("its answer is too long: 110") },
      });
      await one.transport.send(ask(2));
      await vi.waitFor(() => expect(one.got).toHaveLength(2), 20_000);
      expect(one.got[1]).toMatchObject({ id: 2, result: { content: [{ text: "here" }] } });
      expect(one.transport.end).toBeUndefined();
    },
    30_000,
  );
});

test("a server that does not read blocks nobody for longer than it lives", async () => {
  const one = child(program("setInterval(() => undefined, 1_000);"));
  await one.transport.start();
  const big = { ...ask(1), params: { name: "x".repeat(8_000_000) } };
  const sent = vi.fn<() => void>();
  const sending = one.transport.send(big).then(sent);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).not.toHaveBeenCalled();
  one.transport.kill();
  await sending;
});

test("a server has the default environment and its own", async () => {
  const onCall =
    'reply(m, { content: [{ type: "text", text: JSON.stringify([process.env, process.cwd()]) }] })';
  const folder = mkdtempSync(join(tmpdir(), "servers-"));
  vi.stubEnv("NOT_FOR_SERVERS", "secret");
  const env = { TOKEN: "t", PATH: "/nowhere" };
  const one = child({ ...program(mcpProgram({ onCall })), cwd: folder }, env);
  await one.transport.start();
  await one.transport.send(ask(1));
  await vi.waitFor(() => expect(one.got).toHaveLength(1), 20_000);
  const [message] = one.got as unknown as readonly [
    { readonly result: { readonly content: readonly [{ readonly text: string }] } },
  ];
  const [seen, cwd] = JSON.parse(message.result.content[0].text) as [
    Record<string, string>,
    string,
  ];
  expect(seen).toMatchObject(env);
  expect(seen["HOME"]).toBe(process.env["HOME"]);
  expect(seen).not.toHaveProperty("NOT_FOR_SERVERS");
  expect(cwd.endsWith(folder.slice(-10))).toBe(true);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.skipIf(isWindows)("a server has a process group of its own", async () => {
  const one = child(program(mcpProgram()));
  await one.transport.start();
  const pid = await pidOf(one);
  expect(groupOf(pid)).toBe(pid);
});
