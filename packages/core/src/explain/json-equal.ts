import { isRecord } from "./json-type.ts";

/** Tells whether two JSON values are equal, whatever the order of their keys. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return canonicalText(a) === canonicalText(b);
}

/** The indexes of the first two equal items among the first `limit`; undefined where all differ. */
export function duplicateItems(
  items: readonly unknown[],
  limit: number,
): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    if (index >= limit) return undefined;
    const key = canonicalText(item);
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
}

/** A text that two JSON values share exactly when they are equal: the keys are in order. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "undefined";
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(",")}}`;
}
