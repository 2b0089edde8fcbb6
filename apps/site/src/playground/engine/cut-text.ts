const MAX_SENT = 200;
const MAX_VALUE = 20_000;

/** Cuts a string for the history. */
export function cutText(text: string, max: number = MAX_SENT): string {
  if (text.length <= max) return text;
  // Not between the halves of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}

/** A value as JSON with line breaks; what JSON cannot hold is named. */
export function writeValue(value: unknown): string {
  try {
    return cutText(JSON.stringify(value, plain, 2) ?? String(value), MAX_VALUE);
  } catch {
    return `(${typeof value} that JSON cannot hold)`;
  }
}

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
