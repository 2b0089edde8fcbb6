import { isRecord, parseJson } from "@toolcontract/explain/adapter";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a JSON text; undefined if there is none. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}
