import { isArray, jsonPointer } from "@toolcontract/core/adapter";
import { isPlainObject } from "./read.ts";

/** A frozen copy of plain JSON data, or what is not plain about it and where. */
export type PlainCopy = { readonly value: unknown } | { readonly fault: string };

/** Copies and freezes plain JSON data; properties that are undefined are left out, as JSON does. */
export function plainCopy(value: unknown): PlainCopy {
  return copy(value, "", new Set());
}

function copy(value: unknown, path: string, parents: ReadonlySet<unknown>): PlainCopy {
  if (value === null || typeof value === "string" || typeof value === "boolean") return { value };
  if (typeof value === "number") {
    return Number.isFinite(value) ? { value } : uncopiedAt(path, "a number that is not finite");
  }
  if (typeof value !== "object") return uncopiedAt(path, `a ${typeof value}`);
  if (parents.has(value)) return uncopiedAt(path, "an object that contains itself");
  const inside = new Set([...parents, value]);
  if (isArray(value)) return copyArray(value, path, inside);
  if (!isPlainObject(value)) return uncopiedAt(path, "an instance of a class");
  return copyObject(value, path, inside);
}

function copyArray(
  items: readonly unknown[],
  path: string,
  parents: ReadonlySet<unknown>,
): PlainCopy {
  const copies: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const copied = copy(item, `${path}/${index}`, parents);
    if ("fault" in copied) return copied;
    copies.push(copied.value);
  }
  return { value: Object.freeze(copies) };
}

function copyObject(
  record: Readonly<Record<string, unknown>>,
  path: string,
  parents: ReadonlySet<unknown>,
): PlainCopy {
  const copies: [string, unknown][] = [];
  for (const [key, item] of Object.entries(record)) {
    if (item === undefined) continue;
    const copied = copy(item, path + jsonPointer([key]), parents);
    if ("fault" in copied) return copied;
    copies.push([key, copied.value]);
  }
  return { value: Object.freeze(Object.fromEntries(copies)) };
}

function uncopiedAt(path: string, what: string): PlainCopy {
  return { fault: path === "" ? `it is ${what}` : `${what} at ${path}` };
}
