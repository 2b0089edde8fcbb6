/** A JSON-RPC id that can be written back exactly as it was sent. */
export type RequestId = string | number;

/** Reads a request's id; one that JavaScript cannot hold exactly is none, so that nobody answers under a wrong one. */
export function readRequestId(id: unknown): RequestId | undefined {
  if (typeof id === "string") return id;
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : undefined;
}
