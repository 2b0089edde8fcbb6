import { createRecentMap } from "@toolcontract/core/adapter";
import type { Gate, Link } from "../gate/index.ts";
import { fingerprint, type Message, metaOf, traceIdOf } from "../wire/index.ts";
import { type Header, valueOf } from "./headers.ts";
import { listTools, type Template, type Upstream } from "./upstream.ts";

/** Where the key under which attempts are counted comes from. */
export type AttemptKeySource = "auto" | `header:${string}` | `meta:${string}`;

/** Identifies the client of a request; hashes, because the values are credentials and appear in logs. */
export interface RequestKeys {
  /** The session, if the protocol has one. */
  readonly session: string | undefined;
  readonly attemptKey: string;
  readonly listKey: string;
}

/** Headers of any server that may identify a user, or what the user may see. */
const CREDENTIAL =
  /auth|cookie|token|secret|api-?key|tenant|account|organi[sz]ation|workspace|project/i;

/** Reads the keys of a request from its headers, its query and its message. */
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
  const value = metaOf(message)?.[name];
  return typeof value === "string" ? value : undefined;
}

/** One trace is one run of an agent. */
function traceOf(headers: readonly Header[], message: Message): string {
  const parent = metaOf(message)?.["traceparent"] ?? valueOf(headers, "traceparent");
  const trace = traceIdOf(parent);
  return trace === undefined ? "" : `-${trace}`;
}

function hash(parts: readonly unknown[]): string {
  return fingerprint(JSON.stringify(parts));
}

/** The links of all clients. */
export interface Links {
  /** The link of a request: its session's, or a new one if it has no session. */
  readonly of: (keys: RequestKeys, message: Message, template: Template) => Link;
  /** Call when a request is over: closes a link without a session. */
  readonly done: (link: Link, keys: RequestKeys) => void;
  /** Call when a session has ended. */
  readonly end: (keys: RequestKeys) => void;
}

const MAX_SESSIONS = 1_000;

/** Creates the register of links. Requests without a session get one each, because their ids may collide. */
export function createLinks(gate: Gate, upstream: Upstream, listTimeoutMs: number): Links {
  const sessions = createRecentMap<string, Link>(MAX_SESSIONS);
  const templates = new WeakMap<Message, Template>();

  function linkOf({ attemptKey, listKey }: RequestKeys): Link {
    return {
      attemptKey,
      listKey,
      listTools: async (params, like) => {
        const template = templates.get(like);
        if (!template) throw new Error("The call is unknown");
        return listTools(upstream, template, [params, like], listTimeoutMs);
      },
    };
  }
  return {
    of(keys, message, template) {
      templates.set(message, template);
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
