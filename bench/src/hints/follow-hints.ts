import type { ValidationError } from "@toolcontract/core";
import { childOf, lastKey, parentOf, valueAt, without, withValue } from "../json-pointer.ts";

/** Does what the hints of a message say, as a model would, and nothing else; undefined if there is none. */
export function followHints(args: unknown, errors: readonly ValidationError[]): unknown {
  const hinted = errors.filter(({ hint }) => hint !== undefined);
  if (hinted.length === 0) return undefined;
  // What is inside a wrapper is corrected before it is moved.
  const deepFirst = hinted.toSorted(
    (a, b) => b.fieldPath.split("/").length - a.fieldPath.split("/").length || rank(a) - rank(b),
  );
  return deepFirst.reduce(
    (at, { fieldPath, hint = "" }) => follow(at, fieldPath, hint),
    parsedHolders(args, hinted),
  );
}

function rank({ hint = "" }: ValidationError): number {
  return hint.startsWith("rename") || hint === "leave it out" ? 1 : 0;
}

/** A wrapper may be a string: what is inside it can only be corrected once it is parsed. */
function parsedHolders(args: unknown, errors: readonly ValidationError[]): unknown {
  return errors
    .filter(({ hint = "" }) => /one level up$|not a JSON string$/.test(hint))
    .reduce((at, { fieldPath }) => {
      const value = valueAt(at, fieldPath);
      return typeof value === "string" ? withValue(at, fieldPath, JSON.parse(value)) : at;
    }, args);
}

function follow(args: unknown, pointer: string, hint: string): unknown {
  const sent = valueAt(args, pointer);
  if (hint.startsWith("add the time zone")) return withValue(args, pointer, `${String(sent)}Z`);
  if (hint === "use a date that exists") return args;
  const literal = /^use (.*)$|^send (\S+) without quotes$|^send an array, such as (.*)$/s.exec(
    hint,
  );
  if (literal)
    return withValue(args, pointer, JSON.parse(literal[1] ?? literal[2] ?? literal[3] ?? ""));
  const [, from, to] = /^rename (it|".*?") to (".*")$/s.exec(hint) ?? [];
  if (from !== undefined && to !== undefined) {
    const old = from === "it" ? pointer : childOf(parentOf(pointer), JSON.parse(from) as string);
    return moved(args, old, childOf(parentOf(pointer), JSON.parse(to) as string));
  }
  if (hint === "leave it out") return without(args, pointer);
  const [, home] = /^move it into (".*")$/s.exec(hint) ?? [];
  if (home !== undefined) {
    const place = childOf(parentOf(pointer), JSON.parse(home) as string);
    const holder = valueAt(args, place) === undefined ? withValue(args, place, {}) : args;
    return moved(holder, pointer, childOf(place, lastKey(pointer) ?? ""));
  }
  if (hint === "put it in an array") return withValue(args, pointer, [sent]);
  if (/without an (?:object|array) around it$/.test(hint))
    return withValue(args, pointer, Object.values(sent as object)[0]);
  if (!hint.endsWith("one level up")) return args;
  const place = parentOf(pointer);
  const { [lastKey(pointer) ?? ""]: held, ...beside } = valueAt(args, place) as Readonly<
    Record<string, unknown>
  >;
  return withValue(args, place, { ...beside, ...(held as object) });
}

function moved(args: unknown, from: string, to: string): unknown {
  const value = valueAt(args, from);
  return value === undefined ? args : withValue(without(args, from), to, value);
}
