import { createFairMap, type Gate, type Link, ownedKey } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import type { RequestKeys } from "./identity.ts";
import {
  askServer,
  notifyServer,
  type OwnRequest,
  type Template,
  type Upstream,
} from "./upstream.ts";

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
  /** The link of a request: its session's, or a new one if it has no session. */
  readonly of: (keys: RequestKeys, message: Message, template: Template) => Link;
  /** Call when the request of a link without a session is over. */
  readonly done: (link: Link) => void;
  /** Call when a session has ended. */
  readonly end: (keys: RequestKeys) => void;
}

const MAX_SESSIONS = 10_000;
const CALL_TIMEOUT_MS = 60_000;

/** Creates the register of links. Requests without a session get one each, because their ids may collide. */
export function createLinks(gate: Gate, upstream: Upstream, listTimeoutMs: number): Links {
  const sessions = createFairMap<Link>(MAX_SESSIONS);
  const templates = new WeakMap<Message, Template>();

  async function ask(request: OwnRequest, timeoutMs: number): Promise<unknown> {
    const template = templates.get(request.like);
    if (!template) throw new Error("The call is unknown");
    return askServer(upstream, template, request, timeoutMs);
  }
  function linkOf({ attemptKey, owner, listKey, session }: RequestKeys): Link {
    return {
      attemptKey,
      owner,
      transport: "tcp",
      listKey,
      listTools: async (params, like) => ask({ method: "tools/list", params, like }, listTimeoutMs),
      callTool: async (params, like) =>
        ask({ method: "tools/call", params, like }, CALL_TIMEOUT_MS),
      notify(message, like) {
        const template = templates.get(like);
        // Without a session, the end of its request cancels a call.
        if (template && session !== undefined) notifyServer(upstream, template, message);
      },
    };
  }
  return {
    of(keys, message, template) {
      templates.set(message, template);
      if (keys.session === undefined) return linkOf(keys);
      const key = sessionKey(keys);
      const known = sessions.get(key);
      if (known) return known;
      const link = linkOf(keys);
      sessions.set(key, link);
      return link;
    },
    done: (link) => gate.closed(link),
    end(keys) {
      const key = sessionKey(keys);
      const link = sessions.get(key);
      sessions.delete(key);
      if (link) gate.closed(link);
    },
  };
}
