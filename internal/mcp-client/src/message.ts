/** A JSON-RPC message as parsed from the wire. */
export type Message = Readonly<Record<string, unknown>>;

/** Parses one JSON-RPC message; undefined for batches, other JSON values and invalid JSON. */
export function parseMessage(bytes: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object, and neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  // Not core's function of that name: the stdio relay parses messages before core is loaded.
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
