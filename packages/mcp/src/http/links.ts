import type { Gate } from "../gate/gate.ts";
import type { Link, Message } from "../gate/link.ts";
import { createRecentMap } from "@toolcontract/core/adapter";
import { type Likeness, listTools } from "./list-tools.ts";
import type { RequestKeys } from "./request-keys.ts";
import type { Upstream } from "./upstream.ts";

/** The ways that clients have to the server over HTTP. */
export interface Links {
  /** The link of a request: its session's, or one of its own where there is no session. */
  readonly of: (keys: RequestKeys, message: Message, likeness: Likeness) => Link;
  /** A request is over: a link of its own ends with it. */
  readonly done: (link: Link, keys: RequestKeys) => void;
  /** A session was ended. */
  readonly end: (keys: RequestKeys) => void;
}

const MAX_SESSIONS = 1_000;

/** Makes the register of links; ids are unique in a session, but not among clients without one. */
export function createLinks(gate: Gate, upstream: Upstream, listTimeoutMs: number): Links {
  const sessions = createRecentMap<string, Link>(MAX_SESSIONS);
  const likenesses = new WeakMap<Message, Likeness>();

  function linkOf({ attemptKey, listKey }: RequestKeys): Link {
    return {
      attemptKey,
      listKey,
      listTools: async (params, like) => {
        const likeness = likenesses.get(like);
        if (!likeness) throw new Error("There is no such call");
        return listTools(upstream, likeness, [params, like], listTimeoutMs);
      },
    };
  }
  return {
    of(keys, message, likeness) {
      likenesses.set(message, likeness);
      if (keys.session === undefined) return linkOf(keys);
      const key = `${keys.session} ${keys.attemptKey}`;
      const known = sessions.get(key);
      if (known) return known;
      const link = linkOf(keys);
      sessions.set(key, link);
      return link;
    },
    done(link, { session }) {
      if (session === undefined) gate.closed(link);
    },
    end({ session, attemptKey }) {
      const link = sessions.take(`${session ?? ""} ${attemptKey}`);
      if (link) gate.closed(link);
    },
  };
}
