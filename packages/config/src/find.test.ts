import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findConfigFiles } from "./find.ts";
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
