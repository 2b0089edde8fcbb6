import { createRecentMap } from "@toolcontract/core/adapter";
import type { Link } from "../gate/index.ts";
import { fingerprint, isRecord, type Message, metaOf, traceIdOf } from "../wire/index.ts";
import type { SdkTransport } from "./sdk-server.ts";

/** Names the conversation of a message; `extra` is what the transport delivered with it. */
export type AttemptKeyOf = (message: Message, extra: unknown) => string;

/** What a transport's links are built from. */
export interface TransportLinkParts {
  readonly transport: SdkTransport;
  readonly attemptKeyOf: AttemptKeyOf | undefined;
  readonly listTools: Link["listTools"];
  readonly callTool: NonNullable<Link["callTool"]>;
  readonly notify: NonNullable<Link["notify"]>;
}

/** The links of one transport: a common one, and one for each call of another conversation. */
export interface TransportLinks {
  /** The link of a client's message. */
  of(message: Message, extra: unknown): Link;
  /** The link of a server's message; undefined before the client's first. */
  ofAnswer(message: Message): Link | undefined;
  all(): readonly Link[];
}

const MAX_OPEN = 10_000;

/** Creates the links as messages arrive; session id and credentials are known only from the first one on. */
export function createTransportLinks(parts: TransportLinkParts): TransportLinks {
  const ofCalls = createRecentMap<unknown, Link>(MAX_OPEN);
  let common: Link | undefined;

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
      common ??= {
        attemptKey: attemptKeyOf(message, extra, parts),
        listKey: listKeyOf(extra, parts),
        listTools: parts.listTools,
        callTool: parts.callTool,
        notify: parts.notify,
      };
      const { method, params } = message;
      if (method === "tools/call") return ofCall(message, extra, common);
      const isCancellation = method === "notifications/cancelled" && isRecord(params);
      return (isCancellation && ofCalls.take(params["requestId"])) || common;
    },
    ofAnswer: (message) =>
      ("method" in message ? undefined : ofCalls.take(message["id"])) ?? common,
    all: () => [...ofCalls.values(), ...(common ? [common] : [])],
  };
}

/** Each session may have its own server, with its own tools. */
function listKeyOf(extra: unknown, { transport }: TransportLinkParts): string {
  return transport.sessionId === undefined ? clientOf(extra) : sessionOf(transport.sessionId);
}

function attemptKeyOf(message: Message, extra: unknown, parts: TransportLinkParts): string {
  const { sessionId } = parts.transport;
  const given = givenKey(parts.attemptKeyOf, message, extra);
  if (given !== undefined) return given;
  if (sessionId !== undefined) return sessionOf(sessionId);
  // One trace is one run of an agent.
  return `${clientOf(extra)} ${traceIdOf(metaOf(message)?.["traceparent"]) ?? ""}`.trim();
}

/** The user's key; undefined if their function throws or returns none. */
function givenKey(
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

/** Identifies a client by a hash of its credentials; empty if it has none. */
function clientOf(extra: unknown): string {
  const credentials = credentialsOf(extra);
  return credentials === undefined ? "" : `client-${fingerprint(credentials)}`;
}

/** Identifies a session by a hash, because anyone who has its id can join it. */
function sessionOf(sessionId: string): string {
  return `session-${fingerprint(sessionId)}`;
}

function credentialsOf(extra: unknown): string | undefined {
  if (!isRecord(extra)) return undefined;
  const { authInfo, requestInfo, request } = extra;
  const token = isRecord(authInfo) ? authInfo["token"] : undefined;
  return typeof token === "string" ? token : (headerOf(requestInfo) ?? headerOf(request));
}

/** Version 1 of the SDK passes headers as an object, version 2 passes the request itself. */
function headerOf(request: unknown): string | undefined {
  const headers = isRecord(request) ? request["headers"] : undefined;
  if (headers instanceof Headers) return headers.get("authorization") ?? undefined;
  const header = isRecord(headers) ? headers["authorization"] : undefined;
  return typeof header === "string" ? header : undefined;
}
