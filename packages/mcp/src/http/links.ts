import type { Gate, Link } from "../gate/index.ts";
import { type Message, fingerprint, isRecord } from "../wire/index.ts";
import { createRecentMap } from "@toolcontract/core/adapter";
import { type Likeness, type Upstream, listTools } from "./upstream.ts";
import { type Header, valueOf } from "./headers.ts";

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

/** Where a request says whose attempts its calls are. */
export type AttemptKeySource = "auto" | `header:${string}` | `meta:${string}`;

/** Whose a request is; hashes, because they stand in logs and the values are credentials. */
export interface RequestKeys {
  /** The session, where the protocol has one. */
  readonly session: string | undefined;
  readonly attemptKey: string;
  readonly listKey: string;
}

/** Headers that name a user or what the user may see, whatever a server calls them. */
const CREDENTIAL =
  /auth|cookie|token|secret|api-?key|tenant|account|organi[sz]ation|workspace|project/i;

/** Reads whose a request is from its headers, its query and its message. */
export function keysOf(
  headers: readonly Header[],
  query: string,
  message: Message,
  source: AttemptKeySource,
): RequestKeys {
  const credentials = headers
    .filter(([name]) => CREDENTIAL.test(name))
    .map(([name, value]) => `${name.toLowerCase()}:${value}`)
    .toSorted();
  const client = [query, ...credentials];
  const sessionId = valueOf(headers, "mcp-session-id");
  const session = sessionId === undefined ? undefined : hash([sessionId, client]);
  const chosen = chosenKey(headers, message, source);
  const own = session ?? hash(client);
  const owner = session ? `session-${own}` : `client-${own}${traceOf(headers, message)}`;
  return {
    session,
    attemptKey: chosen === undefined ? owner : `key-${hash([chosen, client])}`,
    listKey: own,
  };
}

function chosenKey(
  headers: readonly Header[],
  message: Message,
  source: AttemptKeySource,
): string | undefined {
  if (source === "auto") return undefined;
  const name = source.slice(source.indexOf(":") + 1);
  if (source.startsWith("header:")) return valueOf(headers, name.toLowerCase());
  const value = metaOf(message)[name];
  return typeof value === "string" ? value : undefined;
}

/** One trace is one run of an agent. */
function traceOf(headers: readonly Header[], message: Message): string {
  const parent = metaOf(message)["traceparent"] ?? valueOf(headers, "traceparent");
  const trace = typeof parent === "string" ? /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(parent) : null;
  return trace ? `-${trace[1]}` : "";
}

function metaOf({ params }: Message): Message {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  return isRecord(meta) ? meta : {};
}

function hash(parts: readonly unknown[]): string {
  return fingerprint(JSON.stringify(parts));
}
