import { isRecord, parseJson } from "@toolcontract/explain/adapter";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that a JSON string holds; undefined if it holds none. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}
