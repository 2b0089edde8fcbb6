import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** A header as it was sent, in its original spelling. */
export type Header = readonly [name: string, value: string];

/** Headers that apply to a single connection and are not forwarded. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
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
  const headers: Header[] = [];
  const named: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    const lower = name.toLowerCase();
    if (lower === "connection") named.push(...namedBy(value));
    else if (!HOP_BY_HOP.has(lower)) headers.push([name, value]);
  }
  return named.length === 0 ? headers : without(headers, named);
}

const NONE: readonly string[] = [];
/** What almost all connections have. */
const NAMES_NONE = new Set(["keep-alive", "Keep-Alive", "close"]);

/** The names in a `Connection` header, but those that are never forwarded. */
export function namedBy(connection: string): readonly string[] {
  if (NAMES_NONE.has(connection)) return NONE;
  const names = connection.split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "close" && !HOP_BY_HOP.has(name));
}

/** Leaves out the headers of these names, given in lower case. */
export function without(headers: readonly Header[], names: readonly string[]): readonly Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

/** Names and values in turn, without the headers of these names, given in lower case, and with one more. */
export function flat(
  headers: readonly Header[],
  names: readonly string[],
  more?: Header,
): string[] {
  const list: string[] = [];
  for (const [name, value] of headers) {
    if (!names.includes(name.toLowerCase())) list.push(name, value);
  }
  if (more) list.push(...more);
  return list;
}

/** Adds headers, in place of those of the same name. */
export function replacing(headers: readonly Header[], own: readonly Header[]): readonly Header[] {
  if (own.length === 0) return headers;
  const names = own.map(([name]) => name.toLowerCase());
  return [...without(headers, names), ...own];
}

/** The first value of a header, by its name in lower case. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  for (const header of headers) if (isNamed(header, name)) return header[1];
  return undefined;
}

/** The same in Node's `rawHeaders`, which it has at hand: its object of all headers is made when it is read. */
export function rawHeaderValue(raw: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (isName(raw[index] ?? "", name)) return raw[index + 1];
  }
  return undefined;
}

/** The header that frames a whole body. */
export function lengthOf(body: Buffer): Header {
  return ["Content-Length", String(body.length)];
}

/** Whether a header has this name, given in lower case. */
export function isNamed([name]: Header, lower: string): boolean {
  return isName(name, lower);
}

/** Whether a header's name is this one, given in lower case; most differ in length, which is compared first. */
export function isName(name: string, lower: string): boolean {
  return name.length === lower.length && name.toLowerCase() === lower;
}

/**
 * The header that frames a forwarded body; undefined if the client's request has no body.
 *
 * @remarks Node adds one by itself only for some methods. Without it the server would read the body as the next request
 * on the connection, which no gate has checked.
 */
export function framingOf(request: IncomingMessage, body: Buffer | Readable): Header | undefined {
  if (Buffer.isBuffer(body)) return lengthOf(body);
  const { "transfer-encoding": coding, "content-length": length } = request.headers;
  if (coding !== undefined) return ["Transfer-Encoding", "chunked"];
  return length === undefined ? undefined : ["Content-Length", length];
}
