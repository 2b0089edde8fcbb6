import { join, resolve } from "node:path";
import { publishedPackages } from "../published.ts";
import { runProcess } from "./run-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Builds and packs every package; returns the path of each tarball by the name of the package's folder. */
export async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  const bin = (name: string): string => join(ROOT, "node_modules/.bin", name);
  await runProcess({ command: bin("turbo"), args: ["run", "build"], cwd: ROOT, seconds: 300 });
  const tarballs = new Map<string, string>();
  for (const { name, folder: own } of publishedPackages()) {
    const tarball = join(folder, `${name}.tgz`);
    const cwd = join(ROOT, own);
    await runProcess({ command: "pnpm", args: ["pack", "--out", tarball], cwd, seconds: 120 });
    tarballs.set(name, tarball);
  }
  return tarballs;
}
