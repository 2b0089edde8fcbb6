import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, type ProxyProcess, script, startProxy } from "../testing/proxy-process.ts";

afterEach(endProxies);

const STUBBORN = `
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => console.log("got " + name));
  setInterval(() => {}, 1000);
  console.log("pid " + process.pid);`;

async function pidOf(proxy: ProxyProcess, word = "pid"): Promise<number> {
  return Number((await proxy.line((line) => line.startsWith(`${word} `))).slice(word.length + 1));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function expectDeath(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
}

describe("the exit code is the server's", () => {
  test.each([
    ["a crash before it answers", "throw new Error('boom')", 1],
    ["SIGSEGV", "process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)", 139],
    ["SIGINT", "process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)", 130],
  ])("%s", async (_, source, code) => {
    const proxy = startProxy(script(source));
    expect(await proxy.exited).toBe(code);
  });

  test.each([
    ["no-such-command", "command not found"],
    ["/", "EACCES"],
  ])(
    "%s cannot be started: exit code 3, and one line says so and what to do",
    async (command, reason) => {
      const proxy = startProxy(["--", command]);
      expect(await proxy.exited).toBe(3);
      expect(proxy.errors()).toContain(reason);
      expect(proxy.errors().trim().split("\n")).toHaveLength(1);
    },
  );
});

test("what the server said before it ended with a code of its own arrives, however soon that was", async () => {
  const proxy = startProxy(script("console.log('banner'); process.exitCode = 4"));
  expect(await proxy.exited).toBe(4);
  expect(proxy.output().toString()).toBe("banner\n");
});

test("the environment and standard error are the server's own, without the proxy's variables, which may hold credentials", async () => {
  const source = `console.error("secret is " + process.env.SECRET_OF_TEST);
    console.error(Object.keys(process.env).filter((name) => /toolcontract/i.test(name)))`;
  const proxy = startProxy(script(source), {
    SECRET_OF_TEST: "kept",
    TOOLCONTRACT_MODE: "assist",
    TOOLCONTRACT_HEADER: "Authorization: Bearer x",
  });
  await proxy.exited;
  expect(proxy.errors()).toBe("secret is kept\n[]\n");
});

test("a host that no longer reads standard error keeps its server", async () => {
  const proxy = startProxy(script(addServer()));
  await once(proxy.child, "spawn");
  proxy.child.stderr?.destroy();
  for (const id of [1, 2]) {
    proxy.send(toolCall(id, "add", {}));
    expect((await proxy.answer(id)).result?.isError).toBe(true);
  }
  proxy.child.stdin?.end();
  expect(await proxy.exited).toBe(0);
});

test("end of input ends the server, and the end of the server the proxy", async () => {
  const server = script("process.stdin.on('end', () => console.log('bye')).resume()");
  // A busy machine may take longer to start the server than the proxy waits.
  const proxy = startProxy(["--grace", "1h", ...server]);
  proxy.child.stdin?.end();
  expect(await proxy.exited).toBe(0);
  expect(proxy.output().toString()).toBe("bye\n");
});

test("a server that ignores the end of its input and SIGTERM is killed", async () => {
  const proxy = startProxy(["--grace", "200ms", ...script(STUBBORN)]);
  const pid = await pidOf(proxy);
  proxy.child.stdin?.end();
  expect(await proxy.exited).toBe(137);
  expect(proxy.output().toString()).toBe(`pid ${pid}\ngot SIGTERM\n`);
  expect(isAlive(pid)).toBe(false);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "a server that ignores %s and everything else is killed too",
  async (name) => {
    const proxy = startProxy(["--grace", "200ms", ...script(STUBBORN)]);
    const pid = await pidOf(proxy);
    proxy.child.kill(name);
    expect(await proxy.exited).toBe(137);
    expect(proxy.output().toString()).toBe(`pid ${pid}\ngot SIGTERM\n`);
    expect(isAlive(pid)).toBe(false);
  },
);

test("descendants of a launcher that passes nothing on end with it", async () => {
  const launcher = `
    const { spawn } = require("node:child_process");
    const inner = spawn(process.execPath, ["-e", ${JSON.stringify(STUBBORN)}], { stdio: ["ignore", "inherit", "inherit"] });
    console.log("launcher " + process.pid);
    process.on("SIGTERM", () => process.exit(0));`;
  // Long enough for the launcher to end by itself on a busy machine.
  const proxy = startProxy(["--grace", "2s", ...script(launcher)]);
  const pid = await pidOf(proxy);
  proxy.child.kill("SIGTERM");
  expect(await proxy.exited).toBe(0);
  await expectDeath(pid);
});

test("a descendant that left the group and holds the output open does not keep the proxy", async () => {
  const daemon = `
    const { spawn } = require("node:child_process");
    const inner = spawn(process.execPath, ["-e", "setTimeout(() => {}, 20000)"], { detached: true, stdio: ["ignore", "inherit", "ignore"] });
    inner.unref();
    console.log("pid " + inner.pid);`;
  const proxy = startProxy(["--grace", "200ms", ...script(daemon)]);
  const pid = await pidOf(proxy);
  expect(await proxy.exited).toBe(0);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("a killed proxy takes the server with it, because its input ends", async () => {
  const proxy = startProxy(script("console.log('pid ' + process.pid); process.stdin.resume()"));
  const pid = await pidOf(proxy);
  proxy.child.kill("SIGKILL");
  expect(await proxy.exited).toBe("SIGKILL");
  await expectDeath(pid);
});

test("a client that vanishes ends the server, also one that only writes", async () => {
  const source = `
    console.log("pid " + process.pid);
    process.stdout.on("error", () => {});
    setInterval(() => process.stdout.write("x".repeat(1000) + "\\n"), 1);`;
  const proxy = startProxy(["--grace", "200ms", ...script(source)]);
  const pid = await pidOf(proxy);
  proxy.child.stdin?.destroy();
  proxy.child.stdout?.destroy();
  await proxy.exited;
  await expectDeath(pid);
});
