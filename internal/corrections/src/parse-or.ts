/** Parses JSON, or returns `otherwise` for a string that is not JSON. */
export function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
