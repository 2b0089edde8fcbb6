import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const SITE = resolve(import.meta.dirname, "../..");
const ROOT = resolve(SITE, "../..");
const NOT_SOURCES = /^(?:node_modules|dist|testing|scripts|\..*)$|\.test(?:-d)?\.ts$|\.config\.ts$/;

/** What is built, and served by any static host. */
export const DIST: string = join(SITE, "dist");

/** Builds the site, unless nothing in the repository is newer than it. */
export async function buildSite(): Promise<void> {
  const built = changed(join(DIST, "index.html"));
  const sources = [join(SITE, ".vitepress"), ROOT];
  if (built > 0 && sources.every((folder) => newest(folder) < built)) return;
  const vitepress = join(ROOT, "node_modules/.bin/vitepress");
  await promisify(execFile)(vitepress, ["build", SITE], { cwd: ROOT });
}

function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.test(name))
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newest(path) : changed(path);
    });
  return Math.max(0, ...times);
}

function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
