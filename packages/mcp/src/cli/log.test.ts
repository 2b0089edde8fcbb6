import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { createErrorOutput } from "./error-output.ts";
import { openLog } from "./log.ts";

afterEach(endProxies);

const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
const errors = createErrorOutput(new Writable({ write: (_chunk, _encoding, done) => done() }));
const open = (file: string) =>
  openLog({ level: "silent", file, errors, now: () => new Date("2026-11-26T00:00:00Z") });

test("a log that was rotated goes on in a new file", () => {
  const file = join(folder, "rotated.jsonl");
  const log = open(file);
  log.info("before");
  renameSync(file, `${file}.1`);
  log.info("between");
  log.reopen();
  log.info("after");
  log.close();
  expect(() => log.close()).not.toThrow();
  expect(readFileSync(`${file}.1`, "utf8").match(/before|between/g)).toEqual(["before", "between"]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ message: "after" });
});

test.skipIf(!existsSync("/dev/full"))("lines that do not fit on the disk are counted", () => {
  const log = open("/dev/full");
  expect(log.lostLines()).toBe(0);
  for (const message of ["one", "two"]) log.warn(message);
  expect(log.lostLines()).toBe(2);
  log.close();
});

test.skipIf(process.platform === "win32")(
  "SIGHUP opens the log anew, reads the configuration again, and ends no call; SIGUSR2 sums up",
  async () => {
    const file = join(folder, "proxy.jsonl");
    const config = join(folder, "reload.yml");
    const attempts = (count: number): void =>
      writeFileSync(config, `tools: { validation: { retry: { max_attempts: ${count} } } }`);
    attempts(3);
    const flags = ["--log-file", file, "--config", config, "--mode", "audit", "--soft", "reject"];
    const proxy = startProxy([...flags, ...script(addServer())]);
    const lines = (): string => readFileSync(file, "utf8");
    proxy.send(toolCall(1, "add", {}));
    await expect.poll(lines).toContain('"max_retries":3');
    renameSync(file, `${file}.1`);
    attempts(5);
    proxy.child.kill("SIGHUP");
    await expect.poll(() => existsSync(file) && lines()).toContain("read again");
    proxy.send(toolCall(2, "add", {}));
    await expect.poll(lines).toContain('"max_retries":5');
    writeFileSync(config, "tool: {}");
    proxy.child.kill("SIGHUP");
    await expect.poll(lines).toContain("so the one before goes on");
    proxy.child.kill("SIGUSR2");
    await expect.poll(proxy.errors).toContain("enforcing would have refused 2 of them");
    proxy.child.stdin?.end();
    expect(await proxy.exited).toBe(0);
    expect(proxy.errors().split("would have refused")).toHaveLength(3);
  },
);
