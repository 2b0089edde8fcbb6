import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { runProxy } from "../testing/run-proxy.ts";

afterEach(endProxies);

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };
const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));

test("the log file has a JSON line per event, and no argument values", async () => {
  const file = join(folder, "log.jsonl");
  const proxy = runProxy(["--log-level", "silent", "--log-file", file, ...script(addServer())]);
  proxy.send(toolCall(1, "add", { a: "sk-secret-value", b: 1 }));
  await proxy.answer(1);
  proxy.endInput();
  await proxy.exited;
  const log = readFileSync(file, "utf8");
  const entries = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(entries).toEqual([
    expect.objectContaining({ level: "info", message: "The server is started" }),
    expect.objectContaining({
      level: "info",
      message: "Tool calls are validated",
      server: basename(process.execPath),
      tools: 1,
      mode: "enforce",
    }),
    expect.objectContaining({ level: "warn", tool_name: "add", retry_attempt: 1 }),
    expect.objectContaining({ level: "info", message: "The server has ended", code: 0 }),
  ]);
  expect(log).not.toContain("secret");
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(proxy.errors()).toBe("");
});

test("a tool's name can neither end a log line nor send control characters to a terminal", async () => {
  const file = join(folder, "names.jsonl");
  const name = "add\n\u001b[2J\u009b31m\u2028\u202e\u{e0041}é";
  const onList = `reply(m, { tools: [{ ...tool, name: ${JSON.stringify(name)} }] })`;
  const proxy = runProxy(["--log-file", file, ...script(addServer({ onList }))]);
  proxy.send(toolCall(1, name, {}));
  await proxy.answer(1);
  proxy.endInput();
  await proxy.exited;
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({
    tool_name: expect.stringMatching(/^add.+é$/) as string,
  });
  expect(lines.join("") + proxy.errors().trim()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test("by default rejections are on standard error, one line each", async () => {
  const proxy = runProxy(script(addServer()));
  proxy.send(toolCall(1, "add", {}));
  await proxy.answer(1);
  expect(JSON.parse(proxy.errors())).toMatchObject({ level: "warn", tool_name: "add" });
});

test("metrics are in the file at the end, and at the endpoint before that", async () => {
  const file = join(folder, "metrics.prom");
  const flags = ["--metrics-file", file, "--metrics-port", "0", "--log-level", "info"];
  const proxy = runProxy([...flags, ...script(addServer())]);
  proxy.send(toolCall(1, "add", {}), toolCall(2, "add", { a: 1, b: 2 }));
  await Promise.all([proxy.answer(1), proxy.answer(2)]);
  const url = /http:[^"]+/.exec(proxy.errors())?.[0] ?? "";
  const metrics = await (await fetch(url)).text();
  const called = (outcome: string): string =>
    `toolcontract_calls_total{gen_ai_tool_name="add",toolcontract_outcome="${outcome}"} 1\n`;
  expect(metrics).toContain(called("rejected"));
  expect(metrics).toContain(`toolcontract_build_info{version="${version}"} 1\n`);
  expect((await fetch(url.replace("/metrics", "/"))).status).toBe(404);
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await fetch(url.replace("/metrics", path));
    expect([answer.status, await answer.text()]).toEqual([200, "ok\n"]);
  }
  proxy.endInput();
  await proxy.exited;
  expect(readFileSync(file, "utf8")).toContain(called("admitted"));
});

test("a metrics file whose place something else takes is not written, and a line says so", async () => {
  const file = join(folder, "taken.prom");
  const proxy = runProxy(["--metrics-file", file, ...script(addServer())]);
  proxy.send(toolCall(1, "add", { a: 1, b: 2 }));
  await proxy.answer(1);
  rmSync(file);
  mkdirSync(file);
  proxy.endInput();
  expect(await proxy.exited).toBe(0);
  expect(readdirSync(file)).toEqual([]);
  expect(JSON.parse(proxy.errors())).toEqual({
    level: "warn",
    server: "node",
    message: `--metrics-file ${file} is a folder, which is not replaced: choose the path of a file, or use --metrics-port`,
  });
});

test("limits that are set have metrics: what reached them, and the queues as they are", async () => {
  const limits = ["--tool-timeout", "50ms", "--queue", "slow=1", "--queue-of", "add=slow"];
  const file = join(folder, "limits.prom");
  const onCall = 'if (m.id === 2) write("called")';
  const flags = ["--metrics-file", file, "--metrics-port", "0", "--log-level", "info"];
  const proxy = runProxy([...flags, ...limits, ...script(addServer({ onCall }))]);
  const args = { a: 1, b: 2 };
  proxy.send(toolCall(1, "add", args), toolCall(2, "add", args), toolCall(3, "add", args));
  await Promise.all([proxy.answer(1), proxy.line((line) => line === "called")]);
  await Promise.all([proxy.answer(2), proxy.answer(3)]);
  const url = /http:[^"]+/.exec(proxy.errors())?.[0] ?? "";
  const metrics = await (await fetch(url)).text();
  for (const line of [
    'toolcontract_limited_calls_total{limit="time"} 3',
    'toolcontract_limited_calls_total{limit="size"} 0',
    'toolcontract_queue_calls{queue="slow",state="running"} 0',
    'toolcontract_queue_calls{queue="slow",state="waiting"} 0',
  ]) {
    expect(metrics.split("\n")).toContain(line);
  }
});

describe("the command line", () => {
  test.each([
    [["--help"], "Usage: toolcontract-mcp"],
    [["--version"], version],
  ])("%j goes to standard output", async (argv, words) => {
    const { code, output } = await runMain(argv);
    expect([code, output]).toEqual([0, expect.stringContaining(words)]);
  });

  test.each([
    [["--max-attemps", "3", "x"], "did you mean --max-attempts?"],
    [["--mode", "strict", "x"], "see toolcontract-mcp --help"],
    [["--upstream", "http://a:50%@127.0.0.1:1"], "write %25 instead"],
    [["--log-file", "/no/such/folder/x", "x"], "--log-file cannot be written (ENOENT)"],
    [["--metrics-file", "/no/such/folder/x", "x"], "--metrics-file cannot be written"],
    [
      ["--metrics-file", folder, "x"],
      `--metrics-file ${folder} is a folder, which is not replaced`,
    ],
    [
      ["--upstream", "http://127.0.0.1:1", "--host", "192.0.2.1"],
      "cannot listen on --host 192.0.2.1 --port 8787 (EADDRNOTAVAIL)",
    ],
    [
      // No name server is asked for a name with an empty label.
      ["--upstream", "http://127.0.0.1:1", "--host", "a..b"],
      "cannot listen on --host a..b --port 8787 (ENOTFOUND)",
    ],
  ])("%j is one line with the next step, and exit code 4", async (argv, words) => {
    const { code, errors, output } = await runMain(argv);
    expect([code, errors, output]).toEqual([4, expect.stringContaining(words), ""]);
    expect(errors.trim().split("\n")).toHaveLength(1);
  });

  test("the process writes where the command does, and ends with its code", async () => {
    const wrong = startProxy(["--mode", "strict", "x"]);
    const asked = startProxy(["--version"]);
    expect(await Promise.all([wrong.exited, asked.exited])).toEqual([4, 0]);
    expect([wrong.errors(), asked.output().toString()]).toEqual([
      expect.stringContaining("see toolcontract-mcp --help"),
      `${version}\n`,
    ]);
  });
});

test("a run that has ended leaves no listener of a signal behind", async () => {
  const listeners = (): readonly number[] =>
    ["SIGHUP", "SIGUSR2", "SIGINT", "SIGTERM"].map((name) => process.listenerCount(name));
  const before = listeners();
  expect((await runMain(script("process.exit(0)"))).code).toBe(0);
  expect(listeners()).toEqual(before);
});
