import type { FileOption } from "./option-table.ts";

/** The keys under which the contract's options stand; everything beside them belongs to others. */
export const TREE: readonly [string, string] = ["tools", "validation"];

/** A JSON Pointer (RFC 6901). */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** An option's JSON Pointer in the file. */
export function optionPointer({ keys }: FileOption): string {
  return pointerOf([...TREE, ...keys]);
}

/** An option as people name it: `tools.validation.retry.max_attempts`. */
export function optionPath({ keys }: FileOption): string {
  return [...TREE, ...keys].join(".");
}
