import type { Link } from "../gate/index.ts";
import { type Message, fingerprint, isRecord } from "../wire/index.ts";
import { createRecentMap } from "@toolcontract/core/adapter";
import type { SdkTransport } from "./sdk-server.ts";

/** Names the conversation of a message that came with the given extra information. */
export type AttemptKeyOf = (message: Message, extra: unknown) => string;

/** What a transport's links are made of. */
export interface TransportLinkParts {
  readonly transport: SdkTransport;
  readonly attemptKeyOf: AttemptKeyOf | undefined;
  readonly listTools: Link["listTools"];
}

/** The links of one transport: one for all that passes on it, and one for each call of another conversation. */
export interface TransportLinks {
  /** The link of a client's message. */
  of(message: Message, extra: unknown): Link;
  /** The link of a server's message; undefined before the client's first. */
  ofAnswer(message: Message): Link | undefined;
  all(): readonly Link[];
}

const MAX_OPEN = 10_000;

/** Makes the links of a transport as its messages come: by the first, a session has its id and a client its credentials. */
export function createTransportLinks(parts: TransportLinkParts): TransportLinks {
  const ofCalls = createRecentMap<unknown, Link>(MAX_OPEN);
  let usual: Link | undefined;

  function ofCall(message: Message, extra: unknown, like: Link): Link {
    const attemptKey = attemptKeyOf(message, extra, parts);
    ofCalls.take(message["id"]);
    if (attemptKey === like.attemptKey) return like;
    const link = { ...like, attemptKey };
    ofCalls.set(message["id"], link);
    return link;
  }
  return {
    of(message, extra) {
      usual ??= {
        attemptKey: attemptKeyOf(message, extra, parts),
        listKey: listKeyOf(extra, parts),
        listTools: parts.listTools,
      };
      const { method, params } = message;
      if (method === "tools/call") return ofCall(message, extra, usual);
      const isCancellation = method === "notifications/cancelled" && isRecord(params);
      return (isCancellation && ofCalls.take(params["requestId"])) || usual;
    },
    ofAnswer: (message) => ("method" in message ? undefined : ofCalls.take(message["id"])) ?? usual,
    all: () => [...ofCalls.values(), ...(usual ? [usual] : [])],
  };
}

/** A session may have a server with tools of its own. */
function listKeyOf(extra: unknown, { transport }: TransportLinkParts): string {
  return transport.sessionId === undefined ? clientOf(extra) : sessionOf(transport.sessionId);
}

function attemptKeyOf(message: Message, extra: unknown, parts: TransportLinkParts): string {
  const { sessionId } = parts.transport;
  const given = named(parts.attemptKeyOf, message, extra);
  if (given !== undefined) return given;
  if (sessionId !== undefined) return sessionOf(sessionId);
  return `${clientOf(extra)} ${traceOf(message)}`.trim();
}

/** A host's function that throws or has nothing to say names nothing. */
function named(
  keyOf: AttemptKeyOf | undefined,
  message: Message,
  extra: unknown,
): string | undefined {
  try {
    const key: unknown = keyOf?.(message, extra);
    return typeof key === "string" && key !== "" ? key : undefined;
  } catch {
    return undefined;
  }
}

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** Names a client by its credentials without showing them: the same name everywhere; empty where there are none. */
function clientOf(extra: unknown): string {
  const credentials = credentialsOf(extra);
  return credentials === undefined ? "" : `client-${fingerprint(credentials)}`;
}

/** Names a session without showing its id, with which anybody could join it. */
function sessionOf(sessionId: string): string {
  return `session-${fingerprint(sessionId)}`;
}

/** The id of the trace that a request belongs to: one run of an agent, where its client tells. */
function traceOf({ params }: Message): string {
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
