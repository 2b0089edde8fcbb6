import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isWhole } from "@toolcontract/case-table/whole";

const SITE = resolve(import.meta.dirname, "../..");
const ROOT = resolve(SITE, "../..");
const NOT_SOURCES = /^(?:node_modules|dist|testing|scripts|\..*)$|\.test(?:-d)?\.ts$|\.config\.ts$/;

/** What is built, and served by any static host. */
export const DIST: string = join(SITE, "dist");

/** What the tests open: a draft, unless they take everything. */
export const TESTED: string = isWhole ? DIST : join(SITE, ".artifacts/draft");

/** Builds the site, unless nothing in the repository is newer than it. */
export async function buildSite(folder: string = DIST): Promise<void> {
  const built = changed(join(folder, "index.html"));
  const sources = [join(SITE, ".vitepress"), ROOT];
  if (built > 0 && sources.every((source) => newest(source) < built)) return;
  const vitepress = join(ROOT, "node_modules/.bin/vitepress");
  const env = { ...process.env, SITE_DRAFT: folder === DIST ? "0" : "1" };
  await promisify(execFile)(vitepress, ["build", SITE], { cwd: ROOT, env });
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
