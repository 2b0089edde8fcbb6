import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodeOf } from "@toolcontract/session";
import { toolEntry } from "@toolcontract/session/adapter";
import { afterAll, expect, test } from "vitest";
import { openAccounting } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-accounting-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const entry = toolEntry({ tool: "read", input: {}, output: "a", startedAt: 1, endedAt: 2 });
const fail = {
  warn: (line: string): void => expect.unreachable(line),
  hide: <T>(data: T): T => data,
};

test("entries are appended, a line each", () => {
  const path = join(folder, "entries.jsonl");
  writeFileSync(path, "{}\n");
  const line = JSON.stringify(entry);
  const file = openAccounting(path, fail);
  file.append(entry);
  // At once: a process that is killed has no end.
  expect(readFileSync(path, "utf8")).toBe(`{}\n${line}\n`);
  file.close([entry, { ...entry }]);
  expect(readFileSync(path, "utf8")).toBe(`{}\n${line}\n${line}\n`);
});

test("what a line may not hold is hidden", () => {
  const path = join(folder, "hidden.jsonl");
  const hide = <T>(data: T): T => ({ ...data, error: "***" });
  openAccounting(path, { ...fail, hide }).append({ ...entry, error: "key" });
  expect(readFileSync(path, "utf8")).not.toContain("key");
});

test("a file that cannot be written is found before the run", () => {
  const path = join(folder, "missing/entries.jsonl");
  let thrown: unknown;
  try {
    openAccounting(path, fail);
  } catch (error) {
    thrown = error;
  }
  expect(String(thrown)).toContain(`--accounting ${path} cannot be written (ENOENT).`);
  expect(exitCodeOf(thrown)).toBe(4);
});

test("without a file nothing is written", () => {
  expect(() => openAccounting(undefined, fail).close([entry])).not.toThrow();
});

test("a disk that is full loses no report", ({ skip }) => {
  const full = statSync("/dev/full", { throwIfNoEntry: false });
  // A file of that name would grow instead.
  skip(full?.isCharacterDevice() !== true, "/dev/full is not a device here");
  const warnings: string[] = [];
  openAccounting("/dev/full", { ...fail, warn: (line) => warnings.push(line) }).append(entry);
  expect(warnings).toEqual(["--accounting /dev/full cannot be written (ENOSPC)."]);
});
