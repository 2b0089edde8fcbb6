import type { Message } from "../gate/link.ts";
import { fingerprint } from "../gate/fingerprint.ts";
import { isRecord } from "../gate/record.ts";

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** Names a client by its credentials without showing them: the same name everywhere; empty where there are none. */
export function clientOf(extra: unknown): string {
  const credentials = credentialsOf(extra);
  return credentials === undefined ? "" : `client-${fingerprint(credentials)}`;
}

/** Names a session without showing its id, with which anybody could join it. */
export function sessionOf(sessionId: string): string {
  return `session-${fingerprint(sessionId)}`;
}

/** The id of the trace that a request belongs to: one run of an agent, where its client tells. */
export function traceOf({ params }: Message): string {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  const parent = isRecord(meta) ? meta["traceparent"] : undefined;
  return (typeof parent === "string" && TRACE_PARENT.exec(parent)?.[1]) || "";
}

function credentialsOf(extra: unknown): string | undefined {
  if (!isRecord(extra)) return undefined;
  const { authInfo, requestInfo, request } = extra;
  const token = isRecord(authInfo) ? authInfo["token"] : undefined;
  return typeof token === "string" ? token : (headerOf(requestInfo) ?? headerOf(request));
}

/** One SDK line shows headers as an object, the other shows the request itself. */
function headerOf(request: unknown): string | undefined {
  const headers = isRecord(request) ? request["headers"] : undefined;
  if (headers instanceof Headers) return headers.get("authorization") ?? undefined;
  const header = isRecord(headers) ? headers["authorization"] : undefined;
  return typeof header === "string" ? header : undefined;
}
