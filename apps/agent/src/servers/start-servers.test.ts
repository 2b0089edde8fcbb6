import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodeOf, RunError } from "@toolcontract/session";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  call,
  ended,
  failureOf,
  isAlive,
  mcpProgram,
  npm,
  program,
  start,
  textOf,
} from "./testing/programs.ts";

test("servers from npm are started together, and their tools are one set", async () => {
  const { servers, states, warnings } = await start({
    everything: { ...npm("everything"), toolTimeout: 5_000, queue: "slow" },
    files: { ...npm("filesystem", import.meta.dirname), toolResponseMaxBytes: 100 },
    memory: npm("memory"),
  });
  expect(states.slice(0, 3)).toEqual(["everything starting", "files starting", "memory starting"]);
  expect(states.slice(3).toSorted()).toEqual(["everything ready", "files ready", "memory ready"]);
  expect(warnings).toEqual([]);
  const names = ["echo", "read_text_file", "create_entities"];
  expect(Object.keys(servers.tools)).toEqual(expect.arrayContaining(names));
  expect([...names, "x"].map(servers.serverOf)).toEqual([
    "everything",
    "files",
    "memory",
    undefined,
  ]);
  expect(names.map((name) => servers.limits.toolTimeout(name))).toEqual([
    5_000,
    undefined,
    undefined,
  ]);
  expect(names.map((name) => servers.limits.toolResponseMaxBytes(name))).toEqual([
    undefined,
    100,
    undefined,
  ]);
  expect(names.map((name) => servers.limits.queueOf[name])).toEqual(["slow", undefined, undefined]);
  expect(servers.count).toMatchObject({ memory: 9 });
  expect(textOf(await call(servers, "echo", { message: "hi" }))).toBe("Echo: hi");
  // Each is behind a gate, which explains what it rejects.
  const message = textOf(await call(servers, "echo", { mesage: "hi" }));
  expect(message).toContain("/message (VAL-001)");
  expect(message).toContain('rename "mesage" to "message"');
  await servers.close();
});

test("tools of the same name go to their own servers", async () => {
  const answers = (word: string): string =>
    mcpProgram({ onCall: `reply(m, { content: [{ type: "text", text: "${word}" }] })` });
  const { servers } = await start({ a: program(answers("of a")), b: program(answers("of b")) });
  expect(Object.keys(servers.tools)).toEqual(["a__pid", "b__pid"]);
  expect(textOf(await call(servers, "a__pid"))).toBe("of a");
  expect(textOf(await call(servers, "b__pid"))).toBe("of b");
  expect(servers.serverOf("b__pid")).toBe("b");
  await servers.close();
});

test("servers without tools, and no servers at all", async () => {
  const none = mcpProgram().replace("capabilities: { tools: {} }", "capabilities: {}");
  const { servers } = await start({ none: program(none) });
  expect([servers.tools, servers.count]).toEqual([{}, { none: 0 }]);
  await servers.close();
  const empty = await start({});
  expect(empty.servers.count).toEqual({});
  await empty.servers.close();
});

const folder = mkdtempSync(join(tmpdir(), "servers-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** A program that says its id first, so that a test can see whether it still runs. */
function reported(code: string): { readonly code: string; readonly pid: () => Promise<number> } {
  files += 1;
  const file = join(folder, `${files}.pid`);
  const says = `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));`;
  return {
    code: says + code,
    pid: async () =>
      vi.waitFor(() => {
        const text = readFileSync(file, "utf8");
        expect(text).not.toBe("");
        return Number(text);
      }, 10_000),
  };
}

const programs = import.meta.resolve("./testing/programs.ts");

/** A server that never answers. */
const SILENT = "process.stdin.resume();";

describe("servers that do not start", () => {
  test("are named together, each with its reason and its last lines, without secrets", async () => {
    const works = reported(mcpProgram());
    const failure = await failureOf({
      missing: { command: "no-such-command", args: [] },
      ends: program('console.error("no key\\n\\npassword=hunter2"); process.exit(7)'),
      folder: { command: process.execPath, args: [], cwd: "/no/such/folder" },
      denied: { command: import.meta.filename, args: [] },
      works: program(works.code),
      later: program(mcpProgram().replace("2025-06-18", "1999-01-01")),
    });
    expect(failure).toBeInstanceOf(RunError);
    expect(exitCodeOf(failure)).toBe(3);
    expect((failure as Error).message.split("\n")).toEqual([
      'MCP server "missing" did not start: command "no-such-command" was not found.',
      'MCP server "ends" did not start: it exited with code 7. Its last lines:',
      "  no key",
      "  password=[redacted]",
      'MCP server "folder" did not start: its cwd /no/such/folder does not exist.',
      expect.stringMatching(
        /^MCP server "denied" did not start: command ".+" may not be executed\.$/u,
      ),
      'MCP server "later" did not start: Server\'s protocol version is not supported: 1999-01-01.',
    ]);
    await ended(await works.pid());
  });

  test("because their lists of tools are none", async () => {
    const served = (tools: unknown) => program(mcpProgram({ tools }));
    const nameless = { inputSchema: { type: "object" } };
    const failure = await failureOf({
      one: served("none"),
      two: served([nameless]),
      three: served([{ ...nameless, name: "" }]),
    });
    expect(exitCodeOf(failure)).toBe(3);
    expect((failure as Error).message.split("\n")).toEqual([
      expect.stringMatching(
        /^MCP server "one" did not start: its list of tools is invalid: .+ received string/u,
      ),
      expect.stringMatching(
        /^MCP server "two" did not start: its list of tools is invalid: .+ received undefined/u,
      ),
      'MCP server "three" did not start: it has a tool without a name.',
    ]);
  });

  test("because they never answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const failing = failureOf({ silent: program(SILENT) });
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(await failing).toMatchObject({
      category: "not-started",
      message: 'MCP server "silent" did not start: it did not answer in time.',
    });
  });

  test("because they do not answer within their own time", async () => {
    expect(await failureOf({ slow: { ...program(SILENT), startTimeout: 20 } })).toMatchObject({
      message: 'MCP server "slow" did not start: it did not answer in time.',
    });
  });
});

describe("schemas", () => {
  const tool = (name: string, inputSchema: object): object => ({ name, inputSchema });
  const served = (...tools: readonly object[]) => program(mcpProgram({ tools }));
  const BAD = { type: "object", properties: { q: { type: 12 } } };

  test("of which nothing can be used end the start, with the server and its tools", async () => {
    const failure = await failureOf({
      one: served(tool("fine", { type: "object" }), tool("bad", BAD)),
      two: served(tool("a", { type: 12 }), tool("b", {}), tool("c", { type: "object" })),
    });
    expect(exitCodeOf(failure)).toBe(5);
    expect((failure as Error).message.split("\n")).toEqual([
      'MCP server "one": nothing of the schema of tool "bad" can be used.',
      'MCP server "two": nothing of the schema of tools "a", "b" can be used.',
    ]);
  });

  test("come after a server that does not start", async () => {
    const failure = await failureOf({ bad: served(tool("bad", BAD)), ends: program("") });
    expect(exitCodeOf(failure)).toBe(3);
    expect((failure as Error).message).toContain('tool "bad"');
    expect((failure as Error).message).toContain("exited with code 0");
  });

  test("that can be read around are a warning each", async () => {
    const properties = { q: { type: 12 }, p: { type: "string", pattern: "(" } };
    const { servers, warnings } = await start({
      one: served(tool("a", { type: "object", properties })),
    });
    expect(warnings).toEqual([
      'one: the schema of tool "a": /properties/q/type is ignored, because it is not valid JSON Schema',
      'one: the schema of tool "a": /properties/p/pattern is ignored, because it is not a regular expression of JavaScript',
    ]);
    await servers.close();
  });
});

test("one that is slow to start is named, with the time that it has", async () => {
  const warnings: string[] = [];
  const slow = reported(SILENT);
  const failure = await failureOf(
    { slow: { ...program(slow.code), startTimeout: 400 }, quick: program(mcpProgram()) },
    { warn: (line) => warnings.push(line) },
  );
  expect(String(failure)).toContain('MCP server "slow" did not start');
  expect(warnings).toContain("slow has not started yet; it has 0.4 s");
});

describe("a signal that aborts", () => {
  const NEVER_LISTS = mcpProgram().replace('m.method === "tools/list"', "false");

  test.each([
    ["while a server does not answer", SILENT],
    ["while a server does not list its tools", NEVER_LISTS],
  ])("%s ends everything", async (_, code) => {
    const stuck = reported(code);
    const other = reported(mcpProgram());
    const ending = new AbortController();
    const starting = failureOf(
      { stuck: program(stuck.code), other: program(other.code) },
      { signal: ending.signal },
    );
    const pids = [await stuck.pid(), await other.pid()];
    const reason = new Error("the user left");
    ending.abort(reason);
    expect(await starting).toBe(reason);
    for (const pid of pids) await ended(pid);
  });

  test("before the start starts nothing", async () => {
    const reason = new Error("the user left");
    const states: string[] = [];
    const failure = await failureOf(
      { a: { command: "no-such-command", args: [] } },
      { signal: AbortSignal.abort(reason), onState: (_, state) => states.push(state) },
    );
    expect(failure).toBe(reason);
  });

  test("after the start leaves the servers to the run", async () => {
    const ending = new AbortController();
    const { servers } = await start({ a: program(mcpProgram()) }, { signal: ending.signal });
    ending.abort();
    expect(textOf(await call(servers, "pid"))).toMatch(/^\d+$/u);
    await servers.close();
  });
});

describe("servers of a run", () => {
  test("may die: their calls fail with the reason, and the others go on", async () => {
    const { servers } = await start({
      dies: program(
        mcpProgram({
          tools: [{ name: "die", inputSchema: { type: "object" } }],
          onCall: "process.exit(3)",
        }),
      ),
      lives: program(mcpProgram()),
    });
    const reason = 'the MCP server "dies" exited with code 3';
    await expect(call(servers, "die")).rejects.toThrow(reason);
    await expect(call(servers, "die")).rejects.toThrow(reason);
    expect(textOf(await call(servers, "pid"))).toMatch(/^\d+$/u);
    await servers.close();
  });

  test("are started again once after they died, and what was asked is never sent again", async () => {
    const onCall = `m.params.name === "die" ? process.exit(3) : reply(m, { content: [{ type: "text", text: String(process.pid) }] })`;
    const schema = { type: "object" };
    const tools = ["die", "pid"].map((name) => ({ name, inputSchema: schema }));
    const { servers, warnings } = await start({ frail: program(mcpProgram({ tools, onCall })) });
    const reason = 'the MCP server "frail" exited with code 3';
    const first = textOf(await call(servers, "pid"));
    await expect(call(servers, "die")).rejects.toThrow(reason);
    const [second, third] = await Promise.all([call(servers, "pid"), call(servers, "pid")]);
    expect(textOf(second)).toBe(textOf(third));
    expect(textOf(second)).not.toBe(first);
    expect(warnings).toEqual(['MCP server "frail" exited with code 3; it was started again']);
    expect(servers.lost()).toEqual({ lost: [], restarted: ["frail"] });
    await expect(call(servers, "die")).rejects.toThrow(reason);
    await expect(call(servers, "pid")).rejects.toThrow(reason);
    expect(servers.lost()).toEqual({ lost: ["frail"], restarted: [] });
    await servers.close();
  });

  test("get their own variables expanded, those of proxies, and what they inherit by name", async () => {
    const onCall = 'reply(m, { content: [{ type: "text", text: JSON.stringify(process.env) }] })';
    const { servers } = await start(
      {
        a: {
          ...program(mcpProgram({ onCall })),
          env: { TOKEN: "${TOKEN}", PLAIN: "x" },
          inheritEnv: ["OWN"],
        },
      },
      {
        env: { OWN: "o", OTHER: "secret", https_proxy: "http://p", NODE_EXTRA_CA_CERTS: "/ca" },
        envOf: () => ({ TOKEN: "t", PLAIN: "x" }),
      },
    );
    const seen = JSON.parse(textOf(await call(servers, "pid"))) as object;
    expect(seen).toMatchObject({
      TOKEN: "t",
      PLAIN: "x",
      OWN: "o",
      https_proxy: "http://p",
      NODE_EXTRA_CA_CERTS: "/ca",
    });
    expect(seen).not.toHaveProperty("OTHER");
    await servers.close();
  });

  test("are gone after close, which may be called twice", async () => {
    const { servers } = await start({ a: program(mcpProgram()), b: npm("memory") });
    const pid = Number(textOf(await call(servers, "pid")));
    await Promise.all([servers.close(), servers.close()]);
    expect(isAlive(pid)).toBe(false);
    await servers.close();
  });

  test("leave no listener behind", async () => {
    const before = process.listenerCount("exit");
    const { servers } = await start({ a: program(mcpProgram()) });
    expect(process.listenerCount("exit")).toBe(before + 1);
    await servers.close();
    await failureOf({ ends: program("") });
    expect(process.listenerCount("exit")).toBe(before);
  });

  test("end with a process that ends at once, whatever they ignore", async () => {
    const code = `
      const { call, mcpProgram, program, start, textOf } = await import(${JSON.stringify(programs)});
      const first = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1_000);';
      const stubborn = program(mcpProgram({ first }));
      const { servers } = await start({ a: stubborn, b: stubborn });
      const results = await Promise.all([call(servers, "a__pid"), call(servers, "b__pid")]);
      process.stdout.write(results.map(textOf).join(" "), () => process.exit(130));`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: Buffer[] = [];
    host.stdout.on("data", (chunk: Buffer) => said.push(chunk));
    expect(await once(host, "close")).toEqual([130, null]);
    const pids = Buffer.concat(said).toString().trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) await ended(pid);
  });
});
