import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** A header as it was sent, in its original spelling. */
export type Header = readonly [name: string, value: string];

/** Headers that apply to a single connection and are not forwarded. */
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

/** Headers that the proxy itself sets. */
const OWN = new Set(["content-length", "host"]);

/** Whether a header of this name can be added to what is forwarded. */
export function isForwarded(name: string): boolean {
  const lower = name.toLowerCase();
  return !HOP_BY_HOP.has(lower) && !OWN.has(lower);
}

/**
 * The headers of a message that are forwarded; its `Connection` header may exclude more.
 *
 * @param raw - Node's `rawHeaders`: names and values in turn.
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

/** Leaves out the headers of these names, given in lower case. */
export function without(headers: readonly Header[], names: readonly string[]): readonly Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

/** Adds headers, in place of those of the same name. */
export function replacing(headers: readonly Header[], own: readonly Header[]): readonly Header[] {
  if (own.length === 0) return headers;
  const names = own.map(([name]) => name.toLowerCase());
  return [...without(headers, names), ...own];
}

/** The first value of a header, by its name in lower case. */
export function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

/**
 * The header that frames a forwarded body; undefined if the client's request has no body.
 *
 * @remarks Node adds one by itself only for some methods. Without it the server would read the body as the next request
 * on the connection, which no gate has checked.
 */
export function framingOf(request: IncomingMessage, body: Buffer | Readable): Header | undefined {
  if (Buffer.isBuffer(body)) return ["Content-Length", String(body.length)];
  const { "transfer-encoding": coding, "content-length": length } = request.headers;
  if (coding !== undefined) return ["Transfer-Encoding", "chunked"];
  return length === undefined ? undefined : ["Content-Length", length];
}

function namedByConnection(raw: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== "connection") continue;
    for (const name of raw[index + 1]?.split(",") ?? []) names.add(name.trim().toLowerCase());
  }
  return names;
}
