import { readEntries, readMember } from "@toolcontract/explain/adapter";

const MAX_PARTS = 32;
const MAX_SIBLINGS = 24;

/** Where SDKs keep the error that they wrap, and the answer that they got. */
const WRAPPERS = [
  "lastError",
  "cause",
  "error",
  "data",
  "body",
  "response",
  "errors",
  "originalError",
  "$metadata",
  "$response",
];

/**
 * Everything that a thrown value consists of, outermost first: it, its causes, the errors that it wraps, the answer's body.
 *
 * @remarks Never throws, reads a bounded number of objects, and leaves out what the request said.
 */
export function partsOf(thrown: unknown): readonly unknown[] {
  return walk(thrown, WRAPPERS, isTextOrObject);
}

/** An error and its `cause`, the cause of that, and so on, nearest first. Never throws; bounded, each once. */
export function causeChain(thrown: unknown): readonly unknown[] {
  return walk(thrown, ["cause"], isTextOrObject);
}

/** The same with the `errors` of every AggregateError. */
export function causesOf(thrown: unknown): readonly unknown[] {
  return walk(thrown, ["cause", "errors"], (value, member) =>
    member === "cause" ? isTextOrObject(value) : isError(value),
  );
}

function walk(
  thrown: unknown,
  members: readonly string[],
  isPart: (value: unknown, member: string) => boolean,
): readonly unknown[] {
  const parts = new Set([thrown]);
  for (const part of parts) {
    if (!isAnyObject(part)) continue;
    for (const member of members) {
      for (const inner of siblingsIn(readMember(part, member))) {
        if (parts.size < MAX_PARTS && isPart(inner, member)) parts.add(inner);
      }
    }
  }
  return [...parts];
}

function siblingsIn(value: unknown): readonly unknown[] {
  return isArray(value) ? readEntries(value, MAX_SIBLINGS) : [value];
}

function isTextOrObject(value: unknown): boolean {
  return isAnyObject(value) || (typeof value === "string" && value.trim() !== "");
}

/** Whether something is an error, also one of another realm. Never throws. */
export function isError(value: unknown): boolean {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** Whether a value is an array; a revoked proxy is not one. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value has members of its own: an object or an array. */
export function isAnyObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The text of the first value that has any. */
export function firstOf<T, R>(
  values: readonly T[],
  read: (value: T) => R | undefined,
): R | undefined {
  for (const value of values) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
