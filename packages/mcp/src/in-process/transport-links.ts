import { createRecentMap } from "@toolcontract/core/adapter";
import type { Link } from "../gate/index.ts";
import { isRecord, type Message } from "../wire/index.ts";

/** The keys of a link, from a client's message and what the transport delivered with it. */
export interface LinkKeys {
  /** Names the conversation of a message. */
  attemptKeyOf(message: Message, extra: unknown): string;
  /** Names the client of a message, in whatever trace it comes. */
  callerOf(message: Message, extra: unknown): string;
  /** Names the tool list that the client sees. */
  listKeyOf(extra: unknown): string;
}

/** What a transport's links are built from. */
export interface TransportLinkParts extends LinkKeys {
  readonly listTools: Link["listTools"];
  readonly callTool: NonNullable<Link["callTool"]>;
  readonly elicit: NonNullable<Link["elicit"]>;
  readonly notify: NonNullable<Link["notify"]>;
}

/** The links of one transport: a common one, and one for each call of another conversation. */
export interface TransportLinks {
  /** The link of a client's message. */
  of(message: Message, extra: unknown): Link;
  /** The link of a server's answer; undefined before the client's first message. */
  ofAnswer(message: Message): Link | undefined;
  all(): readonly Link[];
}

const MAX_OPEN = 10_000;

/** Creates the links as messages arrive; session id and credentials are known only from the first one on. */
export function createTransportLinks(parts: TransportLinkParts): TransportLinks {
  const ofCalls = createRecentMap<unknown, Link>(MAX_OPEN);
  let common: Link | undefined;

  function ofCall(message: Message, extra: unknown, like: Link): Link {
    const attemptKey = parts.attemptKeyOf(message, extra);
    ofCalls.take(message["id"]);
    if (attemptKey === like.attemptKey) return like;
    const link = { ...like, attemptKey, caller: parts.callerOf(message, extra) };
    ofCalls.set(message["id"], link);
    return link;
  }
  return {
    of(message, extra) {
      common ??= {
        attemptKey: parts.attemptKeyOf(message, extra),
        caller: parts.callerOf(message, extra),
        listKey: parts.listKeyOf(extra),
        listTools: parts.listTools,
        callTool: parts.callTool,
        elicit: parts.elicit,
        notify: parts.notify,
      };
      const { method, params } = message;
      if (method === "tools/call") return ofCall(message, extra, common);
      const isCancellation = method === "notifications/cancelled" && isRecord(params);
      return (isCancellation && ofCalls.take(params["requestId"])) || common;
    },
    ofAnswer: (message) => ofCalls.take(message["id"]) ?? common,
    all: () => [...ofCalls.values(), ...(common ? [common] : [])],
  };
}
