import { createFairMap, type Gate, type Link, ownedKey } from "../gate/index.ts";
import { createElicitation, type Elicitation, type Message } from "../wire/index.ts";
import type { RequestKeys } from "./identity.ts";
import { askServer, notifyServer, type OwnRequest, type Template } from "./ask-server.ts";
import type { Upstream } from "./upstream.ts";

/** Most requests come from a client that is known, whose keys are the same object. */
const sessionKeys = new WeakMap<RequestKeys, string>();

function sessionKey(keys: RequestKeys): string {
  const known = sessionKeys.get(keys);
  if (known !== undefined) return known;
  const { session = "", attemptKey, owner } = keys;
  const key = ownedKey(`${session} ${attemptKey}`, owner);
  sessionKeys.set(keys, key);
  return key;
}

/** The links of all clients. */
export interface Links {
  /**
   * The link of a request: its session's, or a new one if it has no session.
   *
   * @param sendFirst - Sends the client a question before the answer; absent if the client could not read it.
   */
  readonly of: (
    keys: RequestKeys,
    message: Message,
    template: Template,
    sendFirst?: SendFirst,
  ) => Link;
  /** Call when a session has begun whose client can ask the person there. */
  readonly began: (keys: RequestKeys, initialize: Message) => void;
  /** Takes a client's answer to a question; false for every other message. */
  readonly takeAnswer: (keys: RequestKeys, message: Message) => boolean;
  /** Call when the request of a link without a session is over. */
  readonly done: (link: Link) => void;
  /** Call when a session has ended. */
  readonly end: (keys: RequestKeys) => void;
}

/** Sends a client a question on the response to its request. */
export type SendFirst = (question: Message) => void;

/** What belongs to the request that brought a message, and is needed if the gate makes requests of its own for it. */
interface Origin {
  readonly template: Template;
  readonly sendFirst: SendFirst | undefined;
}

/** A member of the message itself: a map by message would cost each collection of garbage as much as all that it holds. */
const ORIGIN = Symbol("origin");

function originOf(message: Message): Origin | undefined {
  return (message as { readonly [ORIGIN]?: Origin })[ORIGIN];
}

const TOOLS_CHANGED: Message = {
  jsonrpc: "2.0",
  method: "notifications/tools/list_changed",
};
const MAX_SESSIONS = 10_000;
const CALL_TIMEOUT_MS = 60_000;

/** Creates the register of links. Requests without a session get one each, because their ids may collide. */
export function createLinks(gate: Gate, upstream: Upstream, listTimeoutMs: number): Links {
  const sessions = createFairMap<Link>(MAX_SESSIONS);
  /** By session alone: a call may name the key of its attempts, and an answer does not. */
  const elicitations = createFairMap<Elicitation>(MAX_SESSIONS);

  async function ask(request: OwnRequest, timeoutMs: number): Promise<unknown> {
    const template = originOf(request.like)?.template;
    if (!template) throw new Error("The call is unknown");
    return askServer(upstream, template, request, timeoutMs);
  }
  function linkOf({ attemptKey, caller, owner, listKey, session }: RequestKeys): Link {
    const asking = session === undefined ? undefined : ownedKey(session, owner);
    return {
      attemptKey,
      caller,
      owner,
      transport: "tcp",
      listKey,
      listTools: async (params, like) => ask({ method: "tools/list", params, like }, listTimeoutMs),
      callTool: async (params, like) =>
        ask({ method: "tools/call", params, like }, CALL_TIMEOUT_MS),
      elicit(params, like, signal) {
        if (asking === undefined || !originOf(like)?.sendFirst) return undefined;
        return elicitations.get(asking)?.ask(params, like, signal);
      },
      notify(message, like) {
        const template = originOf(like)?.template;
        // Without a session, the end of its request cancels a call.
        if (template && session !== undefined) notifyServer(upstream, template, message);
      },
    };
  }
  return {
    of(keys, message, template, sendFirst) {
      (message as { [ORIGIN]?: Origin })[ORIGIN] = { template, sendFirst };
      if (keys.session === undefined) return linkOf(keys);
      const key = sessionKey(keys);
      const known = sessions.get(key);
      if (known) return known;
      const link = linkOf(keys);
      sessions.set(key, link);
      return link;
    },
    began({ session, owner }, initialize) {
      if (session === undefined) return;
      const elicitation = createElicitation((question, about) =>
        originOf(about)?.sendFirst?.(question),
      );
      elicitation.read(initialize);
      elicitations.set(ownedKey(session, owner), elicitation);
    },
    takeAnswer({ session, owner }, message) {
      if (session === undefined || "method" in message) return false;
      return elicitations.get(ownedKey(session, owner))?.read(message) ?? false;
    },
    done: (link) => gate.closed(link),
    end(keys) {
      const key = sessionKey(keys);
      const link = sessions.get(key);
      sessions.delete(key);
      if (link) {
        // A call that comes after all is judged only if the server still knows the session.
        void gate.fromServer(TOOLS_CHANGED, link);
        gate.closed(link);
      }
      if (keys.session === undefined) return;
      const asking = ownedKey(keys.session, keys.owner);
      elicitations.get(asking)?.close();
      elicitations.delete(asking);
    },
  };
}
