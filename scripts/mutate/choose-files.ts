import { execFileSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { relative } from "node:path";

const PRODUCT = /^(?:packages\/[^/]+|apps\/agent)\/src\/.+\.ts$/;
const NOT_PRODUCT = /\.(?:test|test-d|d|setup)\.ts$|\/testing\//;

/** The files of the product among these files and folders; without any, those that differ from `main`. */
export function chooseFiles(given: readonly string[]): readonly string[] {
  const paths = given.length > 0 ? given.flatMap(filesIn) : changedFiles();
  const chosen = paths.map((path) => relative(process.cwd(), path).replaceAll("\\", "/"));
  return [...new Set(chosen)].filter(isProduct).toSorted();
}

function isProduct(file: string): boolean {
  return PRODUCT.test(file) && !NOT_PRODUCT.test(file);
}

function filesIn(path: string): readonly string[] {
  const isFolder = statSync(path).isDirectory();
  return isFolder ? globSync(`${path}/**/*.ts`, { exclude: ["**/node_modules"] }) : [path];
}

/** Committed since the branch left `main`, or not committed yet. */
function changedFiles(): readonly string[] {
  const base = git("merge-base", "HEAD", "main")[0] ?? "HEAD";
  return [
    ...git("diff", "--name-only", "--diff-filter=d", base),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
}

function git(...args: string[]): readonly string[] {
  return execFileSync("git", args, { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}
