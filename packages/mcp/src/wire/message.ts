import { createHash } from "node:crypto";

/** One JSON-RPC message as parsed from the wire. */
export type Message = Readonly<Record<string, unknown>>;

/** Tells whether a value of the wire is an object with names. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads one JSON-RPC message; batches, other values and everything unreadable are undefined. */
export function parseMessage(bytes: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A JSON-RPC id that can be written back exactly as it was sent. */
export type RequestId = string | number;

/** Reads a request's id; one that JavaScript cannot hold exactly is none, so that nobody answers under a wrong one. */
export function readRequestId(id: unknown): RequestId | undefined {
  if (typeof id === "string") return id;
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : undefined;
}

/** What a server answered to a request. */
export type ServerResponse =
  | { readonly id: RequestId; readonly kind: "result"; readonly result: Message }
  | { readonly id: RequestId; readonly kind: "error"; readonly error: Message };

/** Reads a response; undefined for every other message. */
export function readResponse(message: Message): ServerResponse | undefined {
  const id = readRequestId(message["id"]);
  if (id === undefined || "method" in message) return undefined;
  const { result, error } = message;
  if (isRecord(result)) return { id, kind: "result", result };
  return isRecord(error) ? { id, kind: "error", error } : undefined;
}

/**
 * Tells whether JSON that was read can be written again without changing a number: some integers of the wire are
 * larger than JavaScript can hold.
 */
export function holdsExactNumbers(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "number") {
      if (!isExact(one)) return false;
    } else if (typeof one === "object" && one !== null) {
      for (const member of Object.values(one)) waiting.push(member);
    }
  }
  return true;
}

function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/** Names a credential without showing it: the same name everywhere, short enough for a log. */
export function fingerprint(secret: string): string {
  // Not crypto.hash, which worker runtimes lack.
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}
