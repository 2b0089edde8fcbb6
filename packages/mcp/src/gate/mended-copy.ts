import type { ValidationError } from "@toolcontract/core";
import { isRecord } from "./record.ts";

const MENDABLE: ReadonlySet<string> = new Set(["VAL-002", "VAL-008", "VAL-013"]);
const NUMBER = /^\s*-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?\s*$/;
const BOOLEAN = /^(?:true|false)$/i;
const NESTED = /^\s*[[{]/;

/** What lenient servers make of a value: another one, or nothing at all. */
type Mended = { readonly value: unknown } | "left out";

/**
 * Mends a copy of arguments at every error in the few ways in which some servers do: text of a number or of a
 * boolean, JSON text of an array or an object, null for what may be left out. Undefined where one cannot be mended.
 */
export function mendCopy(args: unknown, errors: readonly ValidationError[]): unknown {
  let copy = args;
  for (const { errorCode, fieldPath } of errors) {
    if (!MENDABLE.has(errorCode)) return undefined;
    const mended = mendAt(copy, segmentsOf(fieldPath));
    if (mended === undefined) return undefined;
    // Without arguments a tool gets an empty object.
    copy = mended === "left out" ? {} : mended.value;
  }
  return copy;
}

/** The segments of a JSON Pointer. */
export function segmentsOf(pointer: string): readonly string[] {
  const [, ...segments] = pointer.split("/");
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The member of an object or the item of an array; undefined where it has none of its own. */
export function memberOf(parent: unknown, segment: string): unknown {
  if (Array.isArray(parent)) return /^\d+$/.test(segment) ? parent[Number(segment)] : undefined;
  return isRecord(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
}

function mendAt(value: unknown, [segment, ...rest]: readonly string[]): Mended | undefined {
  if (segment === undefined) return mend(value);
  const mended = mendAt(memberOf(value, segment), rest);
  if (mended === undefined) return undefined;
  if (Array.isArray(value)) {
    return mended === "left out" ? undefined : { value: value.with(Number(segment), mended.value) };
  }
  if (mended !== "left out") return { value: { ...(value as object), [segment]: mended.value } };
  const { [segment]: _, ...others } = value as Readonly<Record<string, unknown>>;
  return { value: others };
}

function mend(value: unknown): Mended | undefined {
  if (value === null) return "left out";
  if (typeof value !== "string") return undefined;
  if (NUMBER.test(value)) return { value: Number(value) };
  if (BOOLEAN.test(value)) return { value: value.toLowerCase() === "true" };
  if (!NESTED.test(value)) return undefined;
  try {
    return { value: JSON.parse(value) };
  } catch {
    return undefined;
  }
}
