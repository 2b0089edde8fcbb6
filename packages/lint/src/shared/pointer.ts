import { jsonPointer, pointerKeys } from "@toolcontract/explain/adapter";

/** Joins keys to a JSON Pointer. */
export function join(pointer: string, ...keys: readonly (string | number)[]): string {
  return pointer + jsonPointer(keys.map(String));
}

/** The value at a JSON Pointer; undefined if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
