import { oneLine } from "./cut-text.ts";

const MAX_COUNT = 999_999;

/** Reads a property of an untrusted value; undefined if it is missing or its getter throws. */
export function readMember(source: unknown, name: PropertyKey): unknown {
  if (source === undefined || source === null) return undefined;
  try {
    return (source as Readonly<Record<PropertyKey, unknown>>)[name];
  } catch {
    return undefined;
  }
}

/**
 * Reads what something thrown says of itself: a string, the message of an error, an object's `message`, `error` or
 * `reason`, else the name of its class; empty if it says nothing. It is not sanitized.
 */
export function readThrown(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown === "number" || typeof thrown === "bigint") return String(thrown);
  for (const key of ["message", "error", "reason"]) {
    const value = readMember(thrown, key);
    const text = typeof value === "string" ? value : readMember(value, "message");
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  const name = readMember(thrown, "name");
  return typeof name === "string" && name !== "Error" ? name : "";
}

/** Reads up to `count` items of an untrusted array, from `start` on; none if it is not an array. */
export function readEntries(list: unknown, count: number, start: number = 0): readonly unknown[] {
  const end = Math.min(readLength(list), start + count);
  const entries: unknown[] = [];
  for (let index = start; index < end; index += 1) entries.push(readMember(list, index));
  return entries;
}

/** Reads the length of an untrusted array; 0 if it is not an array. */
export function readLength(list: unknown): number {
  try {
    return Array.isArray(list) ? list.length : 0;
  } catch {
    return 0; // a revoked proxy
  }
}

/** Writes a string or number as one line; undefined if it is blank or anything else. */
export function readLine(value: unknown, max: number): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return oneLine(String(value).trim(), max) || undefined;
}

/** Reads a count of at most six digits, so that a header keeps its length. */
export function readCount(value: unknown, fallback: number): number {
  if (typeof value !== "number" || Number.isNaN(value)) return fallback;
  return Math.min(Math.max(Math.trunc(value), 0), MAX_COUNT);
}
