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

/** The headers of a message that go further than to the neighbour; `Connection` may name more that do not. */
export function endToEnd(raw: readonly string[]): readonly Header[] {
  const headers = pairs(raw);
  const named = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(","))
    .map((name) => name.trim().toLowerCase());
  return without(headers, [...HOP_BY_HOP, ...named]);
}

/** The headers without those of the given names. */
export function without(headers: readonly Header[], names: readonly string[]): readonly Header[] {
  const unwanted = new Set(names);
  return headers.filter(([name]) => !unwanted.has(name.toLowerCase()));
}

/** The headers with some in place of those of the same name. */
export function replacing(headers: readonly Header[], own: readonly Header[]): readonly Header[] {
  const names = own.map(([name]) => name.toLowerCase());
  return [...without(headers, names), ...own];
}

/** The first value of a header. */
export function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

/** Reads headers as Node keeps those that came, names and values in turn. */
function pairs(raw: readonly string[]): readonly Header[] {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  }
  return headers;
}
