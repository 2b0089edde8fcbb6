import { isIPv6 } from "node:net";
import { createRecentMap } from "@toolcontract/core/adapter";
import { createFairMap, type Gate, type Link, ownedKey } from "../gate/index.ts";
import { fingerprint, type Message, metaOf, traceIdOf } from "../wire/index.ts";
import { type Header, valueOf } from "./headers.ts";
import {
  askServer,
  notifyServer,
  type OwnRequest,
  type Template,
  type Upstream,
} from "./upstream.ts";

/** Where the key under which attempts are counted comes from. */
export type AttemptKeySource = "auto" | `header:${string}` | `meta:${string}`;

/** Identifies the client of a request; hashes, because the values are credentials and appear in logs. */
export interface RequestKeys {
  /** The session, if the protocol has one. */
  readonly session: string | undefined;
  readonly attemptKey: string;
  /** A hash of the client's network. */
  readonly owner: string;
  readonly listKey: string;
}

/** Who sent a request, as far as it says so. */
export interface RequestingClient {
  /** The headers that are forwarded. */
  readonly headers: readonly Header[];
  readonly query: string;
  /** The address of the client, or of the last proxy before this one. */
  readonly address: string;
}

const SESSION = "mcp-session-id";
/** Headers that identify neither a user nor what the user may see. All others may, whatever they are called. */
const HARMLESS = new Set([
  "accept",
  "accept-encoding",
  "cache-control",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "host",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  SESSION,
  "pragma",
  "traceparent",
  "tracestate",
  "x-request-id",
  "x-correlation-id",
]);
const REPEATED_ARGUMENT = "mcp-param-";

const MAX_CLIENTS = 1_000;
const MAX_REMEMBERED = 4_096;

/** Headers that are known to hold credentials. */
const CREDENTIAL = /auth|cookie|token|secret|api-?key/i;

/** Reads the keys of a request from its headers, its query and its message. */
export function keysOf(
  client: RequestingClient,
  message: Message,
  source: AttemptKeySource,
): RequestKeys {
  const { headers } = client;
  const chosen = chosenKey(headers, message, source);
  const text = identityOf(client, chosen);
  const { attemptKey, isTraced, owner, session, listKey } =
    identities.get(text) ?? remembered(text, identify(client, chosen));
  const trace = isTraced ? traceOf(headers, message) : "";
  return { session, listKey, owner, attemptKey: `${attemptKey}${trace}` };
}

/** Everything that tells a client from others, on lines of their own; the chosen key may have lines itself. */
function identityOf({ headers, query, address }: RequestingClient, chosen?: string): string {
  let text = `${address}\n${query}`;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === SESSION || isTelling(lower)) text += `\n${lower}:${value}`;
  }
  return chosen === undefined ? text : `${text}\n\n${chosen}`;
}

/** A client, as its requests are counted. */
interface Identity extends RequestKeys {
  /** Whether each of its traces is counted for itself. */
  readonly isTraced: boolean;
}

/** Most requests come from a client that is known, and hashing takes longer than finding the hashes. */
const identities = createRecentMap<string, Identity>(MAX_CLIENTS);

function remembered(text: string, identity: Identity): Identity {
  if (text.length <= MAX_REMEMBERED) identities.set(text, identity);
  return identity;
}

function isTelling(name: string): boolean {
  return !HARMLESS.has(name) && !name.startsWith(REPEATED_ARGUMENT);
}

function identify({ headers, query, address }: RequestingClient, chosen?: string): Identity {
  const telling = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => isTelling(name));
  const credentials = telling.filter(([name]) => CREDENTIAL.test(name));
  const user = [query, ...credentials.toSorted(byName)];
  const client = [query, ...telling.toSorted(byName)];
  const sessionId = valueOf(headers, SESSION);
  const session = sessionId === undefined ? undefined : hash([sessionId, user]);
  // Clients without credentials may differ in nothing but their address.
  const person = credentials.length === 0 ? [client, address] : [client];
  let attemptKey = `client-${hash(person)}`;
  if (session !== undefined) attemptKey = `session-${session}`;
  if (chosen !== undefined) attemptKey = `key-${hash([chosen, user])}`;
  return {
    session,
    attemptKey,
    isTraced: session === undefined && chosen === undefined,
    owner: hash(networkOf(address)),
    listKey: hash([sessionId, client, chosen]),
  };
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : Number(one > other);
}

const GROUPS = { all: 8, network: 4 } as const;

/** The network of an IPv6 address, because whoever has one address there has as many as they like. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [before = [], after = []] = address
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: GROUPS.all - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].slice(0, GROUPS.network).join(":");
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

function hash(parts: unknown): string {
  return fingerprint(JSON.stringify(parts));
}

function sessionKey({ session = "", attemptKey, owner }: RequestKeys): string {
  return ownedKey(`${session} ${attemptKey}`, owner);
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
    done(link, { session }) {
      if (session === undefined) gate.closed(link);
    },
    end(keys) {
      const key = sessionKey(keys);
      const link = sessions.get(key);
      sessions.delete(key);
      if (link) gate.closed(link);
    },
  };
}
