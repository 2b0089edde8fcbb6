/** Converts keys to a JSON Pointer. */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The keys of a JSON Pointer. */
export function keysOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The pointer of a child. */
export function childOf(pointer: string, key: string): string {
  return pointer + pointerOf([key]);
}

/** The pointer of the parent; the root is its own parent. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** The last key of a pointer; undefined at the root. */
export function lastKey(pointer: string): string | undefined {
  return keysOf(pointer).at(-1);
}

/** The value at a pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of keysOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}

/** A copy with another value at a pointer; as JSON it is unchanged if the parent does not exist. */
export function withValue(value: unknown, pointer: string, next: unknown): unknown {
  return replaceAt(value, keysOf(pointer), 0, next);
}

function replaceAt(value: unknown, keys: readonly string[], depth: number, next: unknown): unknown {
  const key = keys[depth];
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as readonly unknown[])];
    // An item is changed or added at the end; a larger index would leave holes.
    if (/^\d+$/.test(key) && Number(key) <= copy.length)
      copy[Number(key)] = replaceAt(copy[Number(key)], keys, depth + 1, next);
    return copy;
  }
  if (typeof value !== "object" || value === null) return value;
  const own = Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
  return { ...value, [key]: replaceAt(own, keys, depth + 1, next) };
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
