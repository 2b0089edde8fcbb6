import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolContractError } from "@toolcontract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pathInside } from "./index.ts";

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-paths-")));
  mkdirSync(join(folder, "notes/sub"), { recursive: true });
  writeFileSync(join(folder, "secret"), "s");
  writeFileSync(join(folder, "notes/a.md"), "a");
  mkdirSync(join(folder, "notes-of-others"));
  symlinkSync(join(folder, "secret"), join(folder, "notes/link"));
  symlinkSync(folder, join(folder, "notes/up"));
  symlinkSync(join(folder, "nothing"), join(folder, "notes/dangling"));
  symlinkSync("a.md", join(folder, "notes/alias"));
  symlinkSync("loop", join(folder, "notes/loop"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["a.md", "notes/a.md"],
  ["./sub/../a.md", "notes/a.md"],
  ["new/deep/file.md", "notes/new/deep/file.md"],
  ["alias", "notes/a.md"],
  ["..name", "notes/..name"],
  ["up/notes/a.md", "notes/a.md"],
])("%s is inside, as %s", (path, real) => {
  expect(pathInside(join(folder, "notes"))(path)).toBe(join(folder, real));
});

test.each([
  "../secret",
  "sub/../../secret",
  "link",
  "up/secret",
  "up/new-file",
  "dangling",
  "dangling/x",
  "loop",
  "a.md/x",
  "../notes-of-others/a",
  "/etc/passwd",
  ".",
  "",
  "..",
  "a\0b",
  undefined,
  7,
  ["a.md"],
])("%j is not inside", (path) => {
  expect(pathInside(join(folder, "notes"))(path)).toBeUndefined();
});

test("an absolute path below the folder is inside", () => {
  expect(pathInside(join(folder, "notes"))(join(folder, "notes/a.md"))).toBe(
    join(folder, "notes/a.md"),
  );
});

test("a folder may be made later, but must be no link that leads nowhere", () => {
  expect(pathInside(join(folder, "none"))("a.md")).toBe(join(folder, "none/a.md"));
  expect(pathInside(join(folder, "notes/loop"))("a.md")).toBeUndefined();
});

test.each(["", undefined, "a\0"])("the folder %j is an error", (root) => {
  expect(() => pathInside(root as string)).toThrow(ToolContractError);
});
