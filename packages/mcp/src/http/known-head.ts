import type { IncomingMessage } from "node:http";
import { endToEnd, type Header, isNamed, replacing } from "./headers.ts";

/** Reads the headers of a client's request that are forwarded. */
export type ForwardedOf = (request: IncomingMessage, isEndpoint: boolean) => readonly Header[];

/** The latest head of a connection. */
interface Head {
  /** Names and values in turn, as Node has them. */
  readonly raw: readonly string[];
  readonly isEndpoint: boolean;
  readonly forwarded: readonly Header[];
}

/**
 * Creates the reader. A connection mostly repeats its headers, and as long as it does, they are the same list, so what was
 * found out about the list still holds: see {@link foundOnce}. The length of the body is not compared, because it is not
 * forwarded.
 *
 * @param own - Headers for the endpoint, in place of the client's of the same name.
 */
export function createForwardedOf(own: readonly Header[]): ForwardedOf {
  const heads = new WeakMap<object, Head>();
  return ({ rawHeaders: raw, socket }, isEndpoint) => {
    const known = heads.get(socket);
    if (known?.isEndpoint === isEndpoint && repeats(raw, known.raw)) return known.forwarded;
    const headers = endToEnd(raw);
    // Credentials for the endpoint must not give access to the rest of the server.
    const forwarded = isEndpoint ? replacing(headers, own) : headers;
    heads.set(socket, { raw, isEndpoint, forwarded });
    return forwarded;
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
