import type { Message } from "../gate/link.ts";
import { createRecentMap } from "../gate/recent-map.ts";
import { isRecord } from "../gate/record.ts";

const MAX_CLIENTS = 1_000;
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** Names clients by their credentials without showing them. */
export interface ClientIdentity {
  /** The same short name for the same credentials; empty where there are none. */
  nameOf(extra: unknown): string;
}

/** Makes a register of clients; it forgets the least recently seen ones. */
export function createClientIdentity(): ClientIdentity {
  const names = createRecentMap<string, string>(MAX_CLIENTS);
  let serial = 0;
  return {
    nameOf(extra) {
      const credentials = credentialsOf(extra);
      if (credentials === undefined) return "";
      const known = names.get(credentials);
      if (known !== undefined) return known;
      serial += 1;
      const name = `client-${serial}`;
      names.set(credentials, name);
      return name;
    },
  };
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
