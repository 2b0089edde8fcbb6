import type { ValidationError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { childOf, lastKey, moved, parentOf, valueAt, without, withValue } from "./json-pointer.ts";
import { parseOr } from "./parse-or.ts";

/** Whether a hint moves or removes keys, so that other changes of the same object come first. */
export function movesKeys(hint: string): boolean {
  return /^(?:rename|move)/.test(hint) || hint === "leave it out";
}

/** Parses strings that hold an object with errors in it: what is inside can only be corrected then. */
export function parseHolders(args: unknown, errors: readonly ValidationError[]): unknown {
  return errors
    .filter(({ hint = "" }) => /one level up$|not a JSON string$/.test(hint))
    .reduce((at, { fieldPath }) => {
      const value = valueAt(at, fieldPath);
      return typeof value === "string" ? withValue(at, fieldPath, parseOr(value, value)) : at;
    }, args);
}

/** Does what a hint says; unchanged without a hint, or if it names no change. */
export function followHint(args: unknown, { fieldPath, hint }: ValidationError): unknown {
  const change = changeOf(hint);
  return change === undefined ? args : change(args, fieldPath);
}

/** Whether a hint names a change; others advise, such as "use a date that exists". */
export function namesChange(hint: string | undefined): boolean {
  return changeOf(hint) !== undefined;
}

type Change = (args: unknown, pointer: string) => unknown;

function changeOf(hint: string | undefined): Change | undefined {
  if (hint === undefined) return undefined;
  for (const [pattern, read] of CHANGES) {
    const found = pattern.exec(hint);
    if (found !== null) return read(found.slice(1));
  }
  return undefined;
}

/** The hints that name a change, and what they change; a hint that was cut changes nothing. */
const CHANGES: readonly (readonly [
  hint: RegExp,
  read: (parts: readonly (string | undefined)[]) => Change,
])[] = [
  [
    /^use (?!a date that exists)(.*)$|^send (\S+) without quotes$|^send an array, such as (.*)$/s,
    (parts) => (args, pointer) => {
      const literal = parseOr(parts.find((part) => part !== undefined) ?? "", undefined);
      return literal === undefined ? args : withValue(args, pointer, literal);
    },
  ],
  [
    /^rename (it|".*?") to (".*")$/s,
    ([from = "", to = ""]) =>
      (args, pointer) => {
        const holder = parentOf(pointer);
        const source = from === "it" ? pointer : childOfName(holder, from);
        const target = childOfName(holder, to);
        return source === undefined || target === undefined ? args : moved(args, source, target);
      },
  ],
  [/^leave it out$/, () => without],
  [
    /^move it into (".*")$/s,
    ([name = ""]) =>
      (args, pointer) => {
        const place = childOfName(parentOf(pointer), name);
        if (place === undefined) return args;
        const holder = valueAt(args, place) === undefined ? withValue(args, place, {}) : args;
        return moved(holder, pointer, childOf(place, lastKey(pointer) ?? ""));
      },
  ],
  [
    /^move it into an item of (".*")$/s,
    ([name = ""]) =>
      (args, pointer) => {
        const place = childOfName(parentOf(pointer), name);
        if (place === undefined) return args;
        const held = valueAt(args, place);
        const items: readonly unknown[] = Array.isArray(held) ? held : [];
        const first = { ...(items[0] as object), [lastKey(pointer) ?? ""]: valueAt(args, pointer) };
        return withValue(without(args, pointer), place, [first, ...items.slice(1)]);
      },
  ],
  [
    /^move it one level up$/,
    () => (args, pointer) =>
      moved(args, pointer, childOf(parentOf(parentOf(pointer)), lastKey(pointer) ?? "")),
  ],
  [
    /^put it in quotes, as you mean it$/,
    () => (args, pointer) => withValue(args, pointer, String(valueAt(args, pointer))),
  ],
  [
    /^put it in an array$/,
    () => (args, pointer) => {
      const sent = valueAt(args, pointer);
      return sent === undefined ? args : withValue(args, pointer, [sent]);
    },
  ],
  [
    /without an (?:object|array) around it$/,
    () => (args, pointer) => {
      const held = valueAt(args, pointer);
      const [only] = typeof held === "object" && held !== null ? Object.values(held) : [held];
      return withValue(args, pointer, only);
    },
  ],
  [
    /one level up$/,
    () => (args, pointer) => {
      const held = valueAt(args, pointer);
      if (!isRecord(held)) return args;
      const beside = valueAt(without(args, pointer), parentOf(pointer));
      return withValue(args, parentOf(pointer), { ...(beside as object), ...held });
    },
  ],
  [
    /^add the time zone/,
    () => (args, pointer) => {
      const sent = valueAt(args, pointer);
      return typeof sent === "string" ? withValue(args, pointer, `${sent}Z`) : args;
    },
  ],
  // The string was parsed before: see parseHolders.
  [/^send the \S+ itself, not a JSON string$/, () => (args) => args],
];

function childOfName(holder: string, quoted: string): string | undefined {
  const name = parseOr(quoted, undefined);
  return typeof name === "string" ? childOf(holder, name) : undefined;
}
