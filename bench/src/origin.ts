import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Where a result comes from, to compare later ones with it. */
export interface Origin {
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly isChanged: boolean;
  readonly node: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Reads the commit and the installed versions of packages. */
export function originOf(packages: readonly string[]): Origin {
  const names = [...new Set(packages)].toSorted();
  return {
    commit: git("rev-parse", "HEAD"),
    isChanged: git("status", "--porcelain") !== "",
    node: process.version,
    versions: Object.fromEntries(names.map((name) => [name, versionOf(name)])),
  };
}

function git(...args: readonly string[]): string {
  try {
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

function versionOf(name: string): string {
  const file = join(ROOT, "bench/node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
