import { canonicalText } from "../shared/index.ts";
import type { ClosedRoot } from "./find-root.ts";
import { exactValue } from "./inexact-numbers.ts";
import { MAX_REPAIR_LENGTH, parseNative, repairText } from "./repair.ts";
import { scanJson } from "./scan-json.ts";

/** Deeper objects are not compared: comparing recurses. */
const MAX_DEPTH = 100;
/** More objects are not counted: reading each takes a while. */
const MAX_OBJECTS = 100;

/** A byte order mark or a fence, and what clients write for no arguments. */
const BEFORE = /[\s\uFEFF]*(?:```[\w-]*\s*)?/y;
const NOTHING = /(?:(?:\[\s*\]|""|null|undefined|None)\s*)*/y;
const BETWEEN = /[\s,;]*/y;
const AFTER = /^(?:```\s*)?$/;

/** Objects one after another in a string that has nothing else. */
export interface SeveralObjects {
  /** How many different calls they are; those without arguments in front of others are none. */
  readonly calls: number;
  /** The object that was meant, if they are one call. */
  readonly root?: ClosedRoot;
}

/**
 * Reads a text in which something without arguments stands in front of an object, or several objects stand one after another.
 *
 * Clients and gateways join what they received: `{}` from the beginning of a call with its arguments, or the same arguments twice.
 */
export function severalObjects(text: string): SeveralObjects | undefined {
  const first = endOf(NOTHING, text, endOf(BEFORE, text, 0));
  const keys: string[] = [];
  let last: Pick<ClosedRoot, "start" | "scan"> | undefined;
  let isJoined = true;
  let at = first;
  while (text.charAt(at) === "{") {
    const scan = scanJson(text, at);
    if (scan.open.length > 0 || scan.depth > MAX_DEPTH) return undefined;
    const key = keyOf(text.slice(at, scan.end), text.length <= MAX_REPAIR_LENGTH);
    if (key === undefined || keys.length === MAX_OBJECTS) return undefined;
    if (last !== undefined) isJoined &&= !/[,;]/.test(text.slice(last.scan.end, at));
    keys.push(key);
    last = { start: at, scan };
    at = endOf(BETWEEN, text, scan.end);
  }
  const isOnly = keys.length === 1 && first === endOf(BEFORE, text, 0);
  if (last === undefined || isOnly || !AFTER.test(text.slice(at))) return undefined;
  const filled = keys.findIndex((key) => key !== "{}");
  const calls = new Set(keys.slice(filled)).size;
  if (calls > 1) return { calls };
  return isJoined ? { calls, root: { status: "closed", ...last, isRepeated: true } } : undefined;
}

/** What is the same for objects with the same members, and for no others; undefined if that cannot be said. */
function keyOf(text: string, mayRepair: boolean): string | undefined {
  if (parseNative(text)) return canonicalText(exactValue(text));
  if (!mayRepair) return undefined;
  const repaired = repairText(text, { status: "closed", start: 0, scan: scanJson(text, 0) });
  return repaired && canonicalText(exactValue(repaired.json));
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}
