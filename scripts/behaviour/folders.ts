import { existsSync, globSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Files } from "./compare.ts";

/** How the run ended; it is written last, so that a recording without it was interrupted. */
export const RUN_FILE = "run.jsonl";

/** Makes the folder to record into; returns why it cannot be used, or undefined. */
export function openFolder(folder: string, root: string): string | undefined {
  if (`${folder}${sep}`.startsWith(`${root}${sep}`))
    return `${folder} is inside of the repository.`;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    return (error as Error).message;
  }
  return readdirSync(folder).length > 0 ? `${folder} is not empty.` : undefined;
}

/** Why a folder cannot be compared; undefined if it can. */
export function whyNotCompare(folder: string): string | undefined {
  if (existsSync(join(folder, RUN_FILE))) return undefined;
  return existsSync(folder)
    ? `${folder} has no finished recording.`
    : `There is no folder ${resolve(folder)}.`;
}

/** Reads a recording. */
export function readRecording(folder: string): Files {
  const paths = globSync("**/*.jsonl", { cwd: folder });
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
