import type { SchemaIndex } from "../schema/schema-index.ts";
import type { SchemaRecord } from "./walk.ts";

const documents = new WeakMap<SchemaIndex, WeakMap<SchemaRecord, Map<string, string>>>();

/** Words that are made of a part of a schema: they read the same with every call, so they are made once. */
export function wordsOnce(
  document: SchemaIndex,
  part: SchemaRecord,
  kind: string,
  write: () => string,
): string {
  const parts = documents.get(document) ?? new WeakMap<SchemaRecord, Map<string, string>>();
  documents.set(document, parts);
  const kinds = parts.get(part) ?? new Map<string, string>();
  parts.set(part, kinds);
  const words = kinds.get(kind) ?? write();
  kinds.set(kind, words);
  return words;
}
