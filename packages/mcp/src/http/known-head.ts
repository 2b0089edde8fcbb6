import type { IncomingMessage } from "node:http";
import type { RefusalOf } from "./allowed-client.ts";
import { endToEnd, type Header, isNamed, replacing } from "./headers.ts";

/** What the headers of a client's request come to. */
interface Head {
  /** Why the client is refused; undefined if it is not. */
  readonly refusal: string | undefined;
  /** The headers that are forwarded to the endpoint, or to another path. */
  readonly forwarded: (isEndpoint: boolean) => readonly Header[];
}

/** Reads a request's head. */
export type HeadOf = (request: Pick<IncomingMessage, "rawHeaders" | "headers" | "socket">) => Head;

/** The latest head of a connection. */
interface Known extends Head {
  /** Names and values in turn, as Node has them. */
  readonly raw: readonly string[];
}

/**
 * Creates the reader. A connection mostly repeats its headers, and as long as it does, they are the same list, so what was
 * found out about the list still holds: see {@link foundOnce}. The length of the body is not compared, because it is not
 * forwarded.
 *
 * @param own - Headers for the endpoint, in place of the client's of the same name.
 */
export function createHeadOf(own: readonly Header[], refusalOf: RefusalOf): HeadOf {
  const heads = new WeakMap<object, Known>();
  return (request) => {
    const { rawHeaders: raw, socket } = request;
    const known = heads.get(socket);
    if (known !== undefined && repeats(raw, known.raw)) return known;
    const headers = endToEnd(raw);
    // Credentials for the endpoint must not give access to the rest of the server.
    const toEndpoint = replacing(headers, own);
    const head = {
      raw,
      refusal: refusalOf(request.headers),
      forwarded: (isEndpoint: boolean) => (isEndpoint ? toEndpoint : headers),
    };
    heads.set(socket, head);
    return head;
  };
}

function repeats(raw: readonly string[], known: readonly string[]): boolean {
  if (raw.length !== known.length) return false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    if (name !== known[index]) return false;
    const value = raw[index + 1] ?? "";
    if (value !== known[index + 1] && !isNamed([name, value], "content-length")) return false;
  }
  return true;
}

/** Creates a function that looks at each list of headers once. */
export function foundOnce<T extends object>(
  find: (headers: readonly Header[]) => T,
): (headers: readonly Header[]) => T {
  const known = new WeakMap<readonly Header[], T>();
  return (headers) => {
    const found = known.get(headers);
    if (found !== undefined) return found;
    const made = find(headers);
    known.set(headers, made);
    return made;
  };
}
