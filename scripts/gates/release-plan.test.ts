import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { planRelease } from "./release-plan.ts";

type Files = Readonly<Record<string, string | object>>;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolcontract-release-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Two packages that are published, a private one without a version, and no repository of git around them. */
const WORKSPACE: Files = {
  "package.json": { name: "root", private: true },
  "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
  "packages/a/package.json": { name: "@x/a", version: "0.1.0" },
  "packages/b/package.json": { name: "b", version: "0.1.0" },
  "packages/tests/package.json": { name: "@x/tests", private: true },
  ".changeset/config.json": { fixed: [["@x/a", "b"]] },
  ".changeset/README.md": "# Changesets\n",
  ".changeset/new-a.md": changeset("@x/a", "minor"),
};

function changeset(name: string, type: string): string {
  return `---\n"${name}": ${type}\n---\n\nSays more\n`;
}

function write(files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

test("changesets for one package release all, and no history is needed to know", async () => {
  write({ ...WORKSPACE, ".changeset/fixed-a.md": changeset("@x/a", "patch") });
  expect(await planRelease(root)).toEqual({
    faults: [],
    detail: "2 changesets make 0.2.0 of 2 packages",
  });
});

test("without a changeset there is nothing to release", async () => {
  write({ ...WORKSPACE, ".changeset/new-a.md": "---\n---\n" });
  expect(await planRelease(root)).toEqual({ faults: [], detail: "nothing to release" });
});

test.each<readonly [string, Files, RegExp]>([
  [
    "a pattern that private packages match",
    { ".changeset/config.json": { fixed: [["@x/*", "b"]] } },
    /^@x\/tests is private: "fixed" of \.changeset\/config\.json must not match it$/,
  ],
  [
    "a new package that has its own version",
    { "packages/c/package.json": { name: "@x/c", version: "0.0.0" } },
    /^@x\/c is published: name it in "fixed"/,
  ],
  [
    "a package that is not there",
    { ".changeset/config.json": { fixed: [["@x/a", "b", "@x/gone"]] } },
    /"@x\/gone" does not match any package/,
  ],
  [
    "a changeset for a private package",
    { ".changeset/new-a.md": changeset("@x/tests", "patch") },
    /^\.changeset\/new-a\.md names @x\/tests, which is not published$/,
  ],
  [
    "a changeset for no package",
    { ".changeset/new-a.md": changeset("@x/gone", "patch") },
    /^\.changeset\/new-a\.md names @x\/gone, which is not published$/,
  ],
  ["a config that is none", { ".changeset/config.json": { fixed: "all" } }, /^fixed: /],
])("%s is a fault", async (_, files, fault) => {
  write({ ...WORKSPACE, ...files });
  const { faults } = await planRelease(root);
  expect(faults).toEqual([expect.stringMatching(fault)]);
});

test.each([
  ["another kind of release", changeset("b", "huge")],
  ["no packages above its text", "Says more\n"],
])("a changeset with %s cannot be read", async (_, text) => {
  write({ ...WORKSPACE, ".changeset/new-a.md": text });
  await expect(planRelease(root)).rejects.toThrow();
});
