import { childOf, lastKey, moved, parentOf, valueAt, without, withValue } from "./json-pointer.ts";
import {
  type Expectation,
  QUOTED,
  readExpectation,
  withoutDescription,
} from "./read-expectation.ts";
import { convertValue, makeValue, plainName } from "./convert-value.ts";

/** One thing that a message reports. */
export interface Complaint {
  /** The place it is reported at; the root if the message names no place. */
  readonly pointer: string;
  /** What is said about it, without the values that were sent. */
  readonly words: string;
  /** The union variant it belongs to, if the message reports variants separately. */
  readonly variant?: { readonly at: string; readonly index: number };
}

/** A change to make at a place, and what is expected there. */
export interface Step {
  readonly pointer: string;
  readonly fix: Fix;
  readonly expected: Expectation;
}

/** Applies what the complaints ask for, knowing only them and the invalid arguments. */
export function correctCall(args: unknown, complaints: readonly Complaint[]): unknown {
  return takeSteps(args, meant(complaints).map(stepOf));
}

/** The change that a complaint asks for, with its place and what is expected there. */
function stepOf(complaint: Complaint): Step {
  const { pointer, words } = complaint;
  return { pointer, fix: readFix(complaint), expected: readExpectation(words) };
}

const ORDER: readonly Fix["kind"][] = ["rename", "drop-unknown", "remove"];

/** Takes all steps, those that move keys first. */
export function takeSteps(args: unknown, steps: readonly Step[]): unknown {
  const missing = steps.filter(({ fix }) => fix.kind === "fill").map(({ pointer }) => pointer);
  const renamesFirst = steps.toSorted((a, b) => rank(a) - rank(b));
  return renamesFirst.reduce((at, step) => takeStep(at, step, missing), args);
}

function rank({ fix }: Step): number {
  const at = ORDER.indexOf(fix.kind);
  return at === -1 ? ORDER.length : at;
}

/** Of a union, keeps the complaints of the variant with the fewest. */
function meant(complaints: readonly Complaint[]): readonly Complaint[] {
  const sizes = new Map<string, Map<number, number>>();
  for (const { variant } of complaints) {
    if (variant === undefined) continue;
    const counts = sizes.get(variant.at) ?? new Map<number, number>();
    sizes.set(variant.at, counts.set(variant.index, (counts.get(variant.index) ?? 0) + 1));
  }
  return complaints.filter(({ variant }) => {
    if (variant === undefined) return true;
    const counts = [...(sizes.get(variant.at) ?? [])].toSorted((a, b) => a[1] - b[1]);
    return counts[0]?.[0] === variant.index;
  });
}

/** Takes one step; `missing` are the places of the fields that are missing, for a field with a similar name. */
function takeStep(
  args: unknown,
  { pointer, fix, expected }: Step,
  missing: readonly string[],
): unknown {
  const sent = valueAt(args, pointer);
  switch (fix.kind) {
    case "rename":
      return rename(args, fix.from ? childOf(parentOf(pointer), fix.from) : pointer, fix.to);
    case "drop-unknown": {
      const right = missing.find((place) => isSameName(place, pointer)) ?? "";
      const key = lastKey(right);
      return key !== undefined && valueAt(args, right) === undefined
        ? rename(args, pointer, key)
        : without(args, pointer);
    }
    case "remove":
      return without(args, pointer);
    case "use":
      return withValue(args, pointer, fix.value);
    case "wrap":
      return withValue(args, pointer, [sent]);
    case "fill":
      return sent === undefined ? withValue(args, pointer, makeValue(expected)) : args;
    case "deduplicate": {
      const place = Array.isArray(sent) ? pointer : parentOf(pointer);
      const list = valueAt(args, place);
      return Array.isArray(list) ? withValue(args, place, distinct(list)) : args;
    }
    case "convert":
      return withValue(args, pointer, convertValue(sent, expected));
  }
}

function rename(args: unknown, from: string, to: string): unknown {
  return moved(args, from, childOf(parentOf(from), to));
}

/** Whether a missing key and an unknown one next to it differ only in spelling. */
function isSameName(missing: string, unknown: string): boolean {
  if (parentOf(missing) !== parentOf(unknown)) return false;
  const [missingKey = "", unknownKey = ""] = [lastKey(missing), lastKey(unknown)];
  const [a, b] = [plainName(missingKey), plainName(unknownKey)];
  const words = unknownKey.toLowerCase().split(/[_\s-]/);
  return a === b || (a.length > 3 && words.includes(a)) || isOneOff(a, b);
}

function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.length < 4) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return Math.max(a.length, b.length) - start - end <= 2;
}

function distinct(list: readonly unknown[]): readonly unknown[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

/** The change that a complaint asks for. */
export type Fix =
  | { readonly kind: "rename"; readonly from?: string; readonly to: string }
  | { readonly kind: "use"; readonly value: unknown }
  | { readonly kind: "wrap" | "remove" | "drop-unknown" | "fill" | "deduplicate" | "convert" };

const RENAME = new RegExp(`rename (it|${QUOTED}) to (${QUOTED})`);
const USE = new RegExp(`\\buse (${QUOTED}|-?\\d[\\d.eE+-]*|true|false)`);
const UNQUOTED = /\bsend (\S+) without quotes/;
/** The first that fits. */
const FIXES = [
  [/itself, not a JSON string/, "convert"],
  [/put it in an array/, "wrap"],
  [/leave it out/, "remove"],
  [/[Uu]nknown field|[Uu]nrecognized key|additional propert|unexpected property/, "drop-unknown"],
  [/missing|required propert|received undefined|Required/, "fill"],
  [/duplicate|all different|unique/i, "deduplicate"],
] as const;

/** Reads which change a complaint asks for, in the words of any library. */
export function readFix({ words: all }: Complaint): Fix {
  const words = withoutDescription(all);
  const [, from, to] = RENAME.exec(words) ?? [];
  if (from !== undefined && to !== undefined) {
    const old = from === "it" ? {} : { from: JSON.parse(from) as string };
    return { kind: "rename", ...old, to: JSON.parse(to) as string };
  }
  const literal = USE.exec(words)?.[1] ?? UNQUOTED.exec(words)?.[1];
  if (literal !== undefined) return { kind: "use", value: JSON.parse(literal) as unknown };
  return { kind: FIXES.find(([pattern]) => pattern.test(words))?.[1] ?? "convert" };
}
