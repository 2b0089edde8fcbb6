import { causesOf, firstOf, isRecord } from "@toolcontract/core/adapter";
import { type LostCall, lostByStatus } from "../wire/index.ts";

/** What Node, undici and the SDK say of a request for which no connection was made. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "NOT_CONNECTED",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What it means for a call that a transport of a client could not send it, or not read its answer. */
export function lostBySend(thrown: unknown): LostCall {
  const said = firstOf(causesOf(thrown), readCause);
  return said ?? { kind: "unanswered", how: "connection" };
}

function readCause(cause: unknown): LostCall | undefined {
  if (!isRecord(cause) && !(cause instanceof Error)) return undefined;
  const { code, status = code } = cause as { readonly code?: unknown; readonly status?: unknown };
  if (typeof code === "string" && NOT_CONNECTED.has(code)) return { kind: "not-sent", code };
  // Version 1 of the SDK has the HTTP status as the code.
  const isStatus = typeof status === "number" && status >= 100 && status < 600;
  return isStatus ? lostByStatus(status) : undefined;
}
