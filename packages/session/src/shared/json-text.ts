/** A string as it is, anything else as JSON; undefined for what JSON cannot be. Never throws. */
export function jsonText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
