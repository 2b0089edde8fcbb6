import { parseJson } from "@toolcontract/core/adapter";

/** A string as it is, anything else as JSON; undefined for what JSON cannot be. Never throws. */
export function jsonText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; any other text as it is. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
