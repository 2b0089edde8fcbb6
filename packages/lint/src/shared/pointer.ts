/** Joins keys to a JSON Pointer. */
export function join(pointer: string, ...keys: readonly (string | number)[]): string {
  return [
    pointer,
    ...keys.map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1")),
  ].join("/");
}

/** Splits a JSON Pointer into its keys. */
export function keysOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a JSON Pointer; undefined if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysOf(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
