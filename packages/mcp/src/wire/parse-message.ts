import type { Message } from "../gate/link.ts";
import { isRecord } from "../gate/record.ts";

/** Reads one JSON-RPC message; batches, other values and everything unreadable are undefined. */
export function parseMessage(bytes: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
