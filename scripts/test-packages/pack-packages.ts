import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { runProcess } from "./run-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Builds and packs every package; returns the path of each tarball by the name of the package's folder. */
export async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  const bin = (name: string): string => join(ROOT, "node_modules/.bin", name);
  await runProcess({ command: bin("turbo"), args: ["run", "build"], cwd: ROOT, seconds: 300 });
  const tarballs = new Map<string, string>();
  for (const name of readdirSync(join(ROOT, "packages"))) {
    const cwd = join(ROOT, "packages", name);
    if (!existsSync(join(cwd, "package.json"))) continue;
    const tarball = join(folder, `${name}.tgz`);
    await runProcess({ command: "pnpm", args: ["pack", "--out", tarball], cwd, seconds: 120 });
    tarballs.set(name, tarball);
  }
  return tarballs;
}
