import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { findConfigFiles } from "./find.ts";
import { createFolder } from "@toolcontract/case-table/folder";
import { createProject, FILE } from "./testing/project.ts";

test("the light entry finds the files, readable or not", () => {
  const { folder } = createProject({ [FILE]: "tools: [", "etc/agent/config.yml": "" });
  const places = { home: join(folder, "home"), system: join(folder, "etc") };
  expect(findConfigFiles({ cwd: join(folder, "repo"), ...places, path: "own.yml" })).toEqual([
    { layer: "explicit", path: join(folder, "repo/own.yml") },
    { layer: "cwd", path: join(folder, FILE) },
    { layer: "system", path: join(folder, "etc/agent/config.yml") },
  ]);
  mkdirSync(join(folder, "alone/.git"), { recursive: true });
  expect(findConfigFiles({ cwd: join(folder, "alone"), home: false, system: false })).toEqual([]);
});

test.each<[string, string, readonly string[], home?: string]>([
  ["in the home directory", "home/work", ["cwd home/work", "home home"]],
  ["deep in it", "home/work/app", ["cwd home/work/app", "project home/work", "home home"]],
  ["that is the home directory", "home", ["cwd home"]],
  ["in it, by another path", "link/work", ["cwd link/work", "home home"]],
  ["that is it, by another path", "link", ["cwd link"]],
  ["in it, whose path is a link", "home/work", ["cwd home/work", "home link"], "link"],
  ["elsewhere", "srv/app", ["cwd srv/app", "project srv", "project .", "home home"]],
])(
  "without a repository, neither the home directory nor one above it is a project of a folder %s",
  (_, cwd, expected, home = "home") => {
    const folders = [".", "home", "home/work", "home/work/app", "srv", "srv/app"];
    const { folder } = createFolder(
      Object.fromEntries(folders.map((each) => [join(each, ".agent/config.yml"), ""])),
    );
    symlinkSync("home", join(folder, "link"));
    const found = findConfigFiles({
      cwd: join(folder, cwd),
      home: join(folder, home),
      system: false,
    }).map(({ layer, path }) => `${layer} ${relative(folder, join(path, "../..")) || "."}`);
    expect(found).toEqual(expected);
  },
);

test("the light entry loads neither the YAML parser nor the contract", () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { findConfigFiles } = await import(${JSON.stringify(new URL("find.ts", import.meta.url))});
    findConfigFiles();
    console.log(JSON.stringify(loaded));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program]);
  const loaded = JSON.parse(String(output)) as readonly string[];
  expect(loaded.some((url) => url.endsWith("find-config-files.ts"))).toBe(true);
  expect(loaded.filter((url) => /\/yaml\/|\/core\/|\/ajv\//.test(url))).toEqual([]);
});
