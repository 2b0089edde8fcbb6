import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmNameOf } from "../published.ts";
import type { Project } from "./project.ts";
import { runProcess } from "./run-process.ts";
import type { Installed } from "./place.ts";

/** Installs tarballs, and the project's packages from the registry, into an empty folder. */
export async function installProject(
  { packages, dependencies, overrides, files = {} }: Project,
  tarballs: ReadonlyMap<string, string>,
  folder: string,
): Promise<Installed> {
  const own = packages.map((name) => [npmNameOf(name), `file:${tarballs.get(name)}`]);
  const all = { ...Object.fromEntries(own), ...dependencies };
  const manifest = { private: true, dependencies: all, overrides };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  await runProcess({ command: "npm", args, cwd: folder, seconds: 300 });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder };
}
