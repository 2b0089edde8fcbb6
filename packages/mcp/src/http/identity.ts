import { isIPv6 } from "node:net";
import { createRecentMap } from "@toolcontract/core/adapter";
import { fingerprint, type Message, metaOf, traceIdOf } from "../wire/index.ts";
import { type Header, headerValue } from "./headers.ts";
import { separates, SESSION, separatingValue } from "./separating-headers.ts";

/** Where the key under which attempts are counted comes from. */
export type AttemptKeySource = "auto" | `header:${string}` | `meta:${string}`;

/** Identifies the client of a request; hashes, because the values are credentials and appear in logs. */
export interface RequestKeys {
  /** The session, if the protocol has one. */
  readonly session: string | undefined;
  readonly attemptKey: string;
  /** The client over all its traces, and over all its sessions if it has credentials. */
  readonly caller: string;
  /** A hash of the client's network. */
  readonly owner: string;
  readonly listKey: string;
}

/** Who sent a request, by its own headers. */
export interface RequestingClient {
  /** The headers that are forwarded. */
  readonly headers: readonly Header[];
  readonly query: string;
  /** The address of the client, or of the last proxy before this one. */
  readonly address: string;
}

/** What tells users apart. */
export interface IdentityOptions {
  readonly attemptKey: AttemptKeySource;
  /** The headers that matter besides session and credentials; undefined for all but those known to be harmless. */
  readonly vary?: readonly string[] | undefined;
  /** Called once for each header that seems to be another one with every request. */
  readonly onVarying: (header: string) => void;
}

/** Reads the keys of a request from its headers, its query and its message. */
export type KeysOf = (client: RequestingClient, message: Message) => RequestKeys;

/** Creates the reader. */
export function createKeysOf({ attemptKey: source, vary, onVarying }: IdentityOptions): KeysOf {
  const only = vary && new Set(vary.map((name) => name.toLowerCase()));
  /** Most requests come from a client that is known, and hashing takes longer than finding the hashes. */
  const identities = createRecentMap<string, Identity>(MAX_CLIENTS);
  const watchVarying = createVaryingWatch(onVarying);
  /** What the same list of headers came to before. */
  const latest = new WeakMap<readonly Header[], Identified>();

  function identified(client: RequestingClient, message: Message): Identity {
    const known = latest.get(client.headers);
    if (known?.address === client.address && known.query === client.query) {
      watchVarying.isKnown();
      return known.identity;
    }
    const chosen = chosenKey(client.headers, message, source);
    const text = identityOfClient(client, only, chosen);
    let identity = identities.get(text);
    if (identity === undefined) {
      const separating = separatingHeaders(client.headers, only);
      identity = identify(client, separating, { chosen, isVaried: only !== undefined });
      if (text.length <= MAX_REMEMBERED) identities.set(text, identity);
      if (identity.isAnonymous) watchVarying.isNew(separating);
    } else watchVarying.isKnown();
    const { address, query } = client;
    if (!source.startsWith("meta:")) latest.set(client.headers, { address, query, identity });
    return identity;
  }

  return (client, message) => {
    const identity = identified(client, message);
    const trace = identity.isTraced ? traceOf(client.headers, message) : "";
    return trace === "" ? identity : { ...identity, attemptKey: `${identity.attemptKey}${trace}` };
  };
}

const MAX_CLIENTS = 1_000;
const MAX_REMEMBERED = 4_096;

/** Headers that are known to hold credentials. */
const CREDENTIAL = /auth|cookie|token|secret|api-?key/i;

/** Headers that tell a client from others, in lower case. */
type Separating = readonly Header[];

function separatingHeaders(
  headers: readonly Header[],
  only: ReadonlySet<string> | undefined,
): Separating {
  const separating: Header[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (isSeparating(lower, only)) separating.push([lower, separatingValue(lower, value)]);
  }
  return separating;
}

function isSeparating(name: string, only: ReadonlySet<string> | undefined): boolean {
  return only ? only.has(name) || CREDENTIAL.test(name) : separates(name);
}

/** Everything that tells a client from others, on lines of their own; the chosen key may have lines itself. */
function identityOfClient(
  { headers, query, address }: RequestingClient,
  only: ReadonlySet<string> | undefined,
  chosen: string | undefined,
): string {
  let session: string | undefined;
  let rest = "";
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (isSeparating(lower, only)) rest += `\n${lower}:${separatingValue(lower, value)}`;
    else if (lower === SESSION) session ??= `=${value}`;
  }
  const text = `${address}\n${query}\n${session ?? ""}${rest}`;
  return chosen === undefined ? text : `${text}\n\n${chosen}`;
}

/** The client that a request is counted for. */
interface Identity extends RequestKeys {
  /** Whether each of its traces is counted for itself. */
  readonly isTraced: boolean;
  /** Whether nothing but its headers tells it from others. */
  readonly isAnonymous: boolean;
}

/** Of whom a list of headers was, and who that is. */
interface Identified extends Pick<RequestingClient, "address" | "query"> {
  readonly identity: Identity;
}

interface Identifying {
  readonly chosen: string | undefined;
  /** Whether the user has said which headers separate. */
  readonly isVaried: boolean;
}

function identify(
  { headers, query, address }: RequestingClient,
  separating: Separating,
  { chosen, isVaried }: Identifying,
): Identity {
  const credentials = separating.filter(([name]) => CREDENTIAL.test(name)).toSorted(compareHeaders);
  const user = [query, ...credentials];
  const client = [query, ...separating.toSorted(compareHeaders)];
  const sessionId = headerValue(headers, SESSION);
  const session = sessionId === undefined ? undefined : hash([sessionId, user]);
  // Clients without credentials may differ in nothing but their address.
  const hasAddress = credentials.length === 0 && !isVaried;
  const clientKey = `client-${hash(hasAddress ? [client, address] : [client])}`;
  let attemptKey = clientKey;
  if (session !== undefined) attemptKey = `session-${session}`;
  if (chosen !== undefined) attemptKey = `key-${hash([chosen, user])}`;
  const isAnonymous = session === undefined && chosen === undefined;
  return {
    session,
    attemptKey,
    // Nothing but the session tells those apart that have no credentials.
    caller: chosen === undefined && !hasAddress ? clientKey : attemptKey,
    isTraced: isAnonymous && !isVaried,
    isAnonymous,
    owner: hash(networkOf(address)),
    // The chosen key replaces the headers; other credentials may see other tools.
    listKey: hash([sessionId, chosen === undefined ? client : user, chosen]),
  };
}

/** So many clients in a row that are new and differ in one header alone are probably one. */
const IN_A_ROW = 20;

/** Watches for a header that is another one with every request, so that no user is ever the same. */
function createVaryingWatch(onVarying: IdentityOptions["onVarying"]) {
  let last: Separating | undefined;
  let row: { readonly name: string; length: number } | undefined;
  const said = new Set<string>();
  return {
    isKnown() {
      row = undefined;
    },
    isNew(separating: Separating): void {
      const name = last && onlyDifference(last, separating);
      last = separating;
      if (name === undefined || CREDENTIAL.test(name)) row = undefined;
      else if (row?.name === name) row.length += 1;
      else row = { name, length: 1 };
      if (row === undefined || row.length < IN_A_ROW || said.has(row.name)) return;
      said.add(row.name);
      onVarying(row.name);
    },
  };
}

/** The header in which two clients differ, if it is the only one. */
function onlyDifference(one: Separating, other: Separating): string | undefined {
  if (one.length !== other.length) return undefined;
  const names = one.flatMap(([name, value], index) => {
    const [otherName, otherValue] = other[index] ?? [];
    if (name !== otherName) return [name, name];
    return value === otherValue ? [] : [name];
  });
  return names.length === 1 ? names[0] : undefined;
}

function compareHeaders(
  [one]: readonly [string, string],
  [other]: readonly [string, string],
): number {
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
  if (source.startsWith("header:")) return headerValue(headers, name.toLowerCase());
  const value = metaOf(message)?.[name];
  return typeof value === "string" ? value : undefined;
}

/** One trace is one run of an agent. */
function traceOf(headers: readonly Header[], message: Message): string {
  const parent = metaOf(message)?.["traceparent"] ?? headerValue(headers, "traceparent");
  const trace = traceIdOf(parent);
  return trace === undefined ? "" : `-${trace}`;
}

function hash(parts: unknown): string {
  return fingerprint(JSON.stringify(parts));
}
