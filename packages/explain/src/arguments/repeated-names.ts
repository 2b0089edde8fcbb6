import { exactValue } from "./inexact-numbers.ts";
import { scanJson } from "./scan-json.ts";

/** Longer texts are not searched: with every call that would cost more than it finds. */
const MAX_TEXT = 65_536;
const MAX_DEPTH = 500;
const NAMES = /"\s*:/g;

/**
 * Finds a name that comes again in one object with another value: parsing keeps the last one only, and what was meant is
 * lost. Returns where its name stands again.
 *
 * @param value - What the text was parsed to.
 */
export function repeatedName(text: string, value: unknown): number | undefined {
  if (text.length > MAX_TEXT || typeof value !== "object" || value === null) return undefined;
  // Most texts have as many names as the value has fields.
  return countNames(text) > countFields(value) ? findRepeated(text) : undefined;
}

function countNames(text: string): number {
  let count = 0;
  NAMES.lastIndex = 0;
  while (NAMES.test(text)) count += 1;
  return count;
}

function countFields(root: object): number {
  const pending: unknown[] = [root];
  let count = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    const inner: readonly unknown[] = Object.values(value);
    if (!Array.isArray(value)) count += inner.length;
    for (const one of inner) pending.push(one);
  }
  return count;
}

/** An object that is open, with the range of the value of each of its names. */
interface OpenObject {
  readonly isArray: boolean;
  readonly values: Map<string, string>;
  name: string | undefined;
  nameAt: number;
  /** Where the value of the name begins; below 0 before it does. */
  from: number;
}

function findRepeated(text: string): number | undefined {
  const open: OpenObject[] = [];
  let found: number | undefined;
  const end = (to: number): void => {
    const holder = open.at(-1);
    if (holder?.name === undefined || holder.from < 0) return;
    const value = text.slice(holder.from, to);
    const known = holder.values.get(holder.name);
    if (known !== undefined && !meansTheSame(known, value)) found ??= holder.nameAt;
    holder.values.set(holder.name, value);
    holder.name = undefined;
    holder.from = -1;
  };
  const begin = (from: number): void => {
    const holder = open.at(-1);
    if (holder?.name !== undefined && holder.from < 0) holder.from = from;
  };
  scanJson(text, text.search(/[{[]/), (token, from, to) => {
    if (found !== undefined) return;
    const bracket = token === "punctuation" ? text.charAt(from) : "";
    if (bracket === "{" || bracket === "[") {
      begin(from);
      const isArray = bracket === "[";
      if (open.length < MAX_DEPTH)
        open.push({ isArray, values: new Map(), name: undefined, nameAt: 0, from: -1 });
    } else if (bracket === "}" || bracket === "]") {
      open.pop();
      end(to);
    } else if (token === "key") {
      const holder = open.at(-1);
      if (holder === undefined) return;
      holder.name = String(JSON.parse(text.slice(from, to)));
      holder.nameAt = from;
    } else if (token === "value") {
      begin(from);
      if (open.at(-1)?.isArray === false) end(to);
    }
  });
  return found;
}

function meansTheSame(one: string, other: string): boolean {
  return one === other || JSON.stringify(exactValue(one)) === JSON.stringify(exactValue(other));
}
