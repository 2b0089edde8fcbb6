/** The value of a JSON string; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON string; any other string as it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a string is JSON as it is. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
