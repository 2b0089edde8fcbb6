/** Writes keys as a JSON Pointer (RFC 6901): `/items/0`; empty for the whole document. */
export function jsonPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${escapeKey(key)}`).join("");
}

/** Splits a JSON Pointer into its keys. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeKey);
}

/** A key as a segment of a pointer has it. */
export function escapeKey(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** The key that a segment of a pointer stands for. */
export function unescapeKey(segment: string): string {
  return segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;
}
