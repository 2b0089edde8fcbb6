import { byCloseness, nearest } from "@toolcontract/explain/adapter";

const MAX_LENGTH = 1_024;
/** What models write before a name: the namespace of their own syntax, perhaps as the recipient of a message. */
const BEFORE = /^(?:[^]*?\bto=)?(?:[\w-]+\.)*?(?:functions|default_api|tools)\./;
/** What follows a name: control tokens, white space, brackets, punctuation, or the number of a call. */
const BEHIND = /(?:<\||[\s\u00A0?\u2026([{"'`]|\.\.\.|:\d*$)[^]*$/;

/** Reads the name of a tool without the control tokens and the namespace around it. */
function bareName(called: string): string {
  const name = called.slice(0, MAX_LENGTH).replace(BEFORE, "");
  return name.replace(BEHIND, "");
}

/**
 * Finds the tool that a name was surely meant to be: the same without control tokens and a namespace, or nearly the
 * same; undefined if none surely was.
 */
export function meantTool(called: string, names: readonly string[]): string | undefined {
  const bare = bareName(called);
  if (bare === "") return undefined;
  if (names.includes(bare)) return bare;
  return nearest(called, names) ?? (bare === called ? undefined : nearest(bare, names));
}

/** Sorts names by how much they have in common with the called one, the closest first. */
export function toolsByCloseness(called: string, names: readonly string[]): readonly string[] {
  return byCloseness(bareName(called), names);
}
