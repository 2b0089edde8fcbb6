import { readFileSync, statSync } from "node:fs";

const LARGEST = 1024 * 1024;

/** A file's text, or what is wrong with the file in a few words. */
export type TextReading = { readonly text: string } | { readonly problem: string };

/** Reads a text file of bounded size; it never throws. */
export function readText(path: string): TextReading {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "it is not a file" };
    if (stats.size > LARGEST) return { problem: "it is larger than 1 MiB" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) };
  } catch (thrown) {
    return { problem: problemOf(thrown) };
  }
}

function problemOf(thrown: unknown): string {
  if (thrown instanceof TypeError) return "it is not UTF-8 text";
  switch ((thrown as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "there is no such file";
    case "EACCES":
    case "EPERM":
      return "this user may not read it";
    default:
      return "it could not be read";
  }
}
