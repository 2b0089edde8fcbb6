import { jsonOrText } from "@toolcontract/explain/adapter";

const MAX_UNITS = 262_144;
const MAX_DEPTH = 200;
const MAX_SORTED_KEYS = 10_000;

/**
 * Hashes arguments to 16 hex digits: the same in every process, and the same for JSON text and its value.
 *
 * @remarks The hash only recognises a repeated call. It is neither salted nor cryptographic, so whoever sees the hash
 * of a short value can find the value by guessing; it never goes to a log, a metric or the model.
 * Beyond 262,144 characters of content, only the beginning, the end and the length of a string count.
 */
export function hashArguments(raw: unknown): string {
  return digest(absorbAll(raw));
}

/** The same hash, for telling whether arguments are equal; undefined if they are too long for all of them to count. */
export function hashWhole(raw: unknown): string | undefined {
  const hash = absorbAll(raw);
  return hash.room > 0 ? digest(hash) : undefined;
}

function absorbAll(raw: unknown): RunningHash {
  const hash: RunningHash = { first: 0x811c9dc5, second: 0x9747b28c, room: MAX_UNITS };
  absorb(hash, typeof raw === "string" ? parseShort(raw) : raw, 0);
  return hash;
}

function digest({ first, second }: RunningHash): string {
  return hex(first) + hex(second ^ (first >>> 13));
}

/** Hashes a call; undeclared tools share one count, so for them the name is hashed too. */
export function hashCall(
  { name, arguments: raw }: { readonly name: string; readonly arguments?: unknown },
  isUndeclared: boolean,
): string {
  return isUndeclared ? hashArguments([name, hashArguments(raw)]) : hashArguments(raw);
}

/** Two lanes of 32-bit FNV-1a with different multipliers, and how many more characters are read. */
interface RunningHash {
  first: number;
  second: number;
  room: number;
}

function parseShort(text: string): unknown {
  return text.length > MAX_UNITS ? text : jsonOrText(text);
}

function absorb(hash: RunningHash, value: unknown, depth: number): void {
  if (typeof value === "string") return absorbText(hash, "s", value);
  if (typeof value !== "object" || value === null)
    return mix(hash, `p${describePrimitive(value)};`);
  if (depth === MAX_DEPTH || hash.room <= 0) return mix(hash, "deep;");
  try {
    if (Array.isArray(value)) absorbArray(hash, value, depth);
    else absorbObject(hash, value as Readonly<Record<string, unknown>>, depth);
  } catch {
    // A getter or proxy that throws.
    mix(hash, "unreadable;");
  }
}

function describePrimitive(value: unknown): string {
  return typeof value === "function" || typeof value === "symbol" ? typeof value : String(value);
}

function absorbText(hash: RunningHash, tag: string, text: string): void {
  mix(hash, `${tag}${text.length}:`);
  const half = Math.max(hash.room, 0) >>> 1;
  if (text.length <= half * 2) return mix(hash, text);
  mix(hash, text.slice(0, half));
  mix(hash, text.slice(text.length - half));
}

function absorbArray(hash: RunningHash, items: readonly unknown[], depth: number): void {
  mix(hash, `[${items.length};`);
  for (let index = 0; index < items.length && hash.room > 0; index++) {
    absorb(hash, items[index], depth + 1);
  }
}

function absorbObject(
  hash: RunningHash,
  value: Readonly<Record<string, unknown>>,
  depth: number,
): void {
  const keys = Object.keys(value);
  if (keys.length <= MAX_SORTED_KEYS) keys.sort();
  mix(hash, `{${keys.length};`);
  for (const key of keys) {
    if (hash.room <= 0) return;
    absorbText(hash, "k", key);
    absorb(hash, value[key], depth + 1);
  }
}

function mix(hash: RunningHash, text: string): void {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hash.first = Math.imul(hash.first ^ unit, 0x01000193);
    hash.second = Math.imul(hash.second ^ unit, 0x85ebca6b);
  }
  hash.room -= text.length;
}

function hex(lane: number): string {
  const spread = Math.imul(lane ^ (lane >>> 16), 0xc2b2ae35);
  return ((spread ^ (spread >>> 15)) >>> 0).toString(16).padStart(8, "0");
}
