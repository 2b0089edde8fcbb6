import { existsSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { endProxies, startProxy } from "../testing/proxy-process.ts";
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
  "SIGHUP opens the log anew and does not end a proxy on HTTP",
  async () => {
    const file = join(folder, "proxy.jsonl");
    const upstream = ["--upstream", "http://127.0.0.1:2/mcp", "--port", "0"];
    const proxy = startProxy([...upstream, "--log-file", file]);
    const url = await proxy.listening();
    renameSync(file, `${file}.1`);
    proxy.child.kill("SIGHUP");
    await expect.poll(() => existsSync(file)).toBe(true);
    expect((await fetch(url)).status).toBe(502);
    proxy.child.kill("SIGTERM");
    expect(await proxy.exited).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("The log file was opened anew");
  },
);
