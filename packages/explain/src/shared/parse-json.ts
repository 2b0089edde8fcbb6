/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a string is JSON as it is. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
