import { oneLine } from "./cut-text.ts";

const MAX_COUNT = 999_999;

/** Reads a member of a foreign value; undefined where there is none or its getter throws. */
export function readMember(source: unknown, name: string | number): unknown {
  try {
    return (source as Readonly<Record<string | number, unknown>>)[name];
  } catch {
    return undefined;
  }
}

/** Up to `count` entries of a foreign list, from `start` on; none where it is no list. */
export function readEntries(list: unknown, count: number, start: number = 0): readonly unknown[] {
  const end = Math.min(readLength(list), start + count);
  const entries: unknown[] = [];
  for (let index = start; index < end; index += 1) entries.push(readMember(list, index));
  return entries;
}

/** The length of a foreign list; 0 where it is none. */
export function readLength(list: unknown): number {
  try {
    return Array.isArray(list) ? list.length : 0;
  } catch {
    return 0; // a revoked proxy
  }
}

/** Makes one line of a text or number; undefined where it is blank or anything else. */
export function readLine(value: unknown, max: number): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return oneLine(String(value).trim(), max) || undefined;
}

/** Reads a count of at most six digits, so that no header outgrows its room. */
export function readCount(value: unknown, fallback: number): number {
  if (typeof value !== "number" || Number.isNaN(value)) return fallback;
  return Math.min(Math.max(Math.trunc(value), 0), MAX_COUNT);
}
