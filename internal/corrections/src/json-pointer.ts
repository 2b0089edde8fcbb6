import { jsonPointer, pointerKeys } from "@toolcontract/core/adapter";

/** The pointer of a child. */
export function childOf(pointer: string, key: string): string {
  return pointer + jsonPointer([key]);
}

/** The pointer of the parent; the root is its own parent. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** The last key of a pointer; undefined at the root. */
export function lastKey(pointer: string): string | undefined {
  return pointerKeys(pointer).at(-1);
}

/** The value at a pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of pointerKeys(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}

/** A copy with another value at a pointer; the same value if that changes nothing, or if the parent does not exist. */
export function withValue(value: unknown, pointer: string, next: unknown): unknown {
  return replaceAt(value, pointerKeys(pointer), next);
}

function replaceAt(value: unknown, [key, ...below]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next;
  if (typeof value !== "object" || value === null) return value;
  const holder = value as Readonly<Record<string, unknown>>;
  const isNew = !Object.hasOwn(value, key);
  if (isNew && below.length > 0) return value;
  const replaced = isNew ? next : replaceAt(holder[key], below, next);
  if (!isNew && replaced === holder[key]) return value;
  if (!Array.isArray(value)) return { ...value, [key]: replaced };
  // An item is changed or added at the end; a larger index would leave holes.
  if (!/^\d+$/.test(key) || Number(key) > value.length) return value;
  return [...value.slice(0, Number(key)), replaced, ...value.slice(Number(key) + 1)];
}

/** A copy without the field at a pointer. */
export function without(value: unknown, pointer: string): unknown {
  const holder = parentOf(pointer);
  const key = lastKey(pointer);
  const inside = valueAt(value, holder);
  if (key === undefined || typeof inside !== "object" || inside === null) return value;
  const left = Array.isArray(inside)
    ? inside.filter((_, index) => String(index) !== key)
    : Object.fromEntries(Object.entries(inside).filter(([name]) => name !== key));
  return withValue(value, holder, left);
}

/** A copy with the value at one pointer moved to another; unchanged if there is no value. */
export function moved(value: unknown, from: string, to: string): unknown {
  const inside = valueAt(value, from);
  return inside === undefined ? value : withValue(without(value, from), to, inside);
}
