/** A value as core takes arguments: core would read a string as JSON text. */
export function asArguments(value: unknown): unknown {
  return typeof value === "string" ? JSON.stringify(value) : value;
}
