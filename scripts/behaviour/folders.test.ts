import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFolder, readRecording, RUN_FILE, whyNotCompare } from "./folders.ts";

const root = mkdtempSync(join(tmpdir(), "behaviour-"));
const repository = join(root, "repository");
const before = join(root, "before");
afterAll(() => rmSync(root, { recursive: true }));

test("records into a new folder outside of the repository, and no other", () => {
  for (const path of [repository, join(repository, "before")]) {
    expect(openFolder(path, repository)).toBe(`${path} is inside of the repository.`);
  }
  expect(openFolder(before, repository)).toBeUndefined();
  expect(openFolder(`${repository}-before`, repository)).toBeUndefined();
  mkdirSync(join(before, "core"));
  writeFileSync(join(before, "core", "codes.jsonl"), "{}\n");
  expect(openFolder(before, repository)).toBe(`${before} is not empty.`);
  expect(openFolder(join(before, "core", "codes.jsonl"), repository)).toContain("EEXIST");
});

test("compares finished recordings, and says what is missing", () => {
  expect(whyNotCompare(join(root, "nothing"))).toBe(`There is no folder ${join(root, "nothing")}.`);
  expect(whyNotCompare(before)).toBe(`${before} has no finished recording.`);
  writeFileSync(join(before, RUN_FILE), "{}\n");
  expect(whyNotCompare(before)).toBeUndefined();
  expect([...readRecording(before).keys()].toSorted()).toEqual([
    join("core", "codes.jsonl"),
    RUN_FILE,
  ]);
});
