import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** A header's name and value, in the order and spelling of the wire. */
export type Header = readonly [name: string, value: string];

/** Headers that are between two neighbours only. */
const HOP_BY_HOP = new Set([
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The headers of a message that go further than to the neighbour; `Connection` may name more that do not.
 *
 * @param raw - Headers as Node keeps those that came, names and values in turn.
 */
export function endToEnd(raw: readonly string[]): readonly Header[] {
  const named = namedByConnection(raw);
  const headers: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower)) headers.push([name, raw[index + 1] ?? ""]);
  }
  return headers;
}

/** The headers without those of the given names. */
export function without(headers: readonly Header[], names: readonly string[]): readonly Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

/** The headers with some in place of those of the same name. */
export function replacing(headers: readonly Header[], own: readonly Header[]): readonly Header[] {
  if (own.length === 0) return headers;
  const names = own.map(([name]) => name.toLowerCase());
  return [...without(headers, names), ...own];
}

/** The first value of a header. */
export function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

function namedByConnection(raw: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== "connection") continue;
    for (const name of raw[index + 1]?.split(",") ?? []) names.add(name.trim().toLowerCase());
  }
  return names;
}

/**
 * The header that tells the server where a forwarded body ends; undefined where the client's request has no body.
 *
 * @remarks Node ends a body without one by itself only for some methods. Where it does not, the server reads the body as
 * the next request on the connection, which nobody has judged.
 */
export function framingOf(request: IncomingMessage, body: Buffer | Readable): Header | undefined {
  if (Buffer.isBuffer(body)) return ["Content-Length", String(body.length)];
  const { "transfer-encoding": coding, "content-length": length } = request.headers;
  if (coding !== undefined) return ["Transfer-Encoding", "chunked"];
  return length === undefined ? undefined : ["Content-Length", length];
}
