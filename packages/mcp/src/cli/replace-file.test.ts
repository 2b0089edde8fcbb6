import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = (name: string): string => readFileSync(join(folder, name), "utf8");

test("a file is made, and replaced, and nothing is left beside it", () => {
  replaceFile(join(folder, "metrics"), "one");
  replaceFile(join(folder, "metrics"), "two");
  expect(text("metrics")).toBe("two");
  expect(readdirSync(folder)).toEqual(["metrics"]);
});

test.each([
  ["a file", (path: string) => writeFileSync(path, "before")],
  ["nothing yet", () => undefined],
])("a link to %s stays, and the file has the text", (_, make) => {
  make(join(folder, "target"));
  symlinkSync("target", join(folder, "near"));
  symlinkSync(join(folder, "near"), join(folder, "metrics"));
  replaceFile(join(folder, "metrics"), "after");
  expect([text("target"), readlinkSync(join(folder, "near"))]).toEqual(["after", "target"]);
  expect(readdirSync(folder).toSorted()).toEqual(["metrics", "near", "target"]);
});

test("a folder that does not exist is an error", () => {
  expect(() => replaceFile(join(folder, "none", "metrics"), "")).toThrow("ENOENT");
});

async function listenOn(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
}

function makeNode(path: string, ...kind: readonly string[]): void {
  execFileSync("mknod", [path, ...kind], { stdio: "pipe" });
}

const OTHERS: readonly (readonly [
  kind: string,
  make: (path: string) => unknown,
  isKind: (stats: Stats) => boolean,
])[] = [
  ["a folder", mkdirSync, (stats) => stats.isDirectory()],
  ["a pipe", (path) => makeNode(path, "p"), (stats) => stats.isFIFO()],
  ["a socket", listenOn, (stats) => stats.isSocket()],
  // What /dev/null is, which only root can make.
  ["a device", (path) => makeNode(path, "c", "1", "3"), (stats) => stats.isCharacterDevice()],
];

describe.each(OTHERS)("%s", (kind, make, isKind) => {
  test.for([
    ["is not replaced", "metrics"],
    ["at the end of a link is not replaced", "target"],
    ["that takes the place of the file is not replaced", "later"],
  ])("%s", async ([, place], { skip }) => {
    const path = join(folder, "metrics");
    const other = place === "target" ? join(folder, "target") : path;
    if (place === "target") symlinkSync(other, path);
    if (place === "later") {
      replaceFile(path, "before");
      rmSync(path);
    }
    try {
      await make(other);
    } catch (thrown) {
      skip(`${kind} cannot be made here: ${String(thrown)}`);
    }
    const before = readdirSync(folder);
    expect(() => replaceFile(path, "after")).toThrow(kind);
    expect(isKind(lstatSync(other))).toBe(true);
    expect(readdirSync(folder)).toEqual(before);
  });
});
