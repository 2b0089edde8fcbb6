import type { Link, Message } from "../gate/link.ts";
import { createRecentMap } from "@toolcontract/core/adapter";
import { isRecord } from "../gate/record.ts";
import { clientOf, sessionOf, traceOf } from "./client-identity.ts";
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
