import type { IncomingMessage } from "node:http";
import { HOP_BY_HOP, isName, namedBy } from "./headers.ts";

/** What the head of a server's response means to the proxy. */
export interface ResponseHead {
  readonly status: number;
  /** Names and values in turn: the headers that the client gets. */
  readonly list: readonly string[];
  /** What the body is by its type. */
  readonly form: "json" | "events" | "other";
  /** Whether the body is compressed. */
  readonly isCoded: boolean;
  readonly location: string | undefined;
  /** How long the server keeps the connection. */
  readonly keepAlive: string | undefined;
}

/** Whether a response is a stream of messages, and not an error of that type. */
export function isEventStream({ status, form }: Pick<ResponseHead, "status" | "form">): boolean {
  return status < 300 && form === "events";
}

/** Reads a head in one pass, because it is done with every call. */
export function readHead({ rawHeaders, statusCode = 502 }: IncomingMessage): ResponseHead {
  return headOf(statusCode, rawHeaders);
}

/** The headers of a response whose body has this length. */
export function withLength(list: readonly string[], length: number): readonly string[] {
  const right = String(length);
  let at = -1;
  for (let index = 0; index < list.length; index += 2) {
    if (!isLength(list[index] ?? "")) continue;
    // Two lengths must not become three.
    if (at !== -1) return withLength(withoutLength(list), length);
    at = index;
  }
  if (at !== -1 && list[at + 1] === right) return list;
  return [...(at === -1 ? list : withoutLength(list)), "Content-Length", right];
}

/** The headers of a response whose body is JSON of this length in place of its own. */
export function withJson(list: readonly string[], length: number): readonly string[] {
  const others = kept(list, (name) => !OF_THE_BODY.some((own) => isName(name, own)));
  return [...others, "Content-Type", JSON_TYPE, "Content-Length", String(length)];
}

const OF_THE_BODY = [
  "content-type",
  "content-length",
  "content-encoding",
  "content-language",
  "content-disposition",
  "etag",
  "last-modified",
] as const;

/** The headers of a redirection to another place. */
export function withLocation(list: readonly string[], location: string): readonly string[] {
  const others = kept(list, (name) => !isName(name, "location"));
  return [...others, "Location", location];
}

function withoutLength(list: readonly string[]): readonly string[] {
  return kept(list, (name) => !isLength(name));
}

function isLength(name: string): boolean {
  return isName(name, "content-length");
}

function kept(list: readonly string[], keeps: (name: string) => boolean): readonly string[] {
  return list.filter((_, index) => keeps(list[index - (index % 2)] ?? ""));
}

function headOf(status: number, raw: readonly string[]): ResponseHead {
  const list: string[] = [];
  const named: string[] = [];
  let [type, location, keepAlive]: (string | undefined)[] = [];
  let isCoded = false;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    switch (meaningOf(name)) {
      case "hop":
        continue;
      case "keep-alive":
        keepAlive = value;
        continue;
      case "connection":
        named.push(...namedBy(value));
        continue;
      case "content-type":
        type ??= value;
        break;
      case "content-encoding":
        isCoded = true;
        break;
      case "location":
        location ??= value;
        break;
      case "other":
        break;
    }
    list.push(name, value);
  }
  // As if they had not been sent.
  if (named.length > 0)
    return {
      ...headOf(
        status,
        kept(list, (name) => !named.includes(name.toLowerCase())),
      ),
      keepAlive,
    };
  return { status, list, form: formOf(type), isCoded, location, keepAlive };
}

const JSON_TYPE = "application/json";

function formOf(type: string | undefined): ResponseHead["form"] {
  if (type === undefined) return "other";
  // As nearly all servers spell it, without a search.
  if (type === JSON_TYPE) return "json";
  if (/^application\/json/i.test(type)) return "json";
  return /^text\/event-stream/i.test(type) ? "events" : "other";
}

const OWN = ["connection", "keep-alive", "content-type", "content-encoding", "location"] as const;
type Meaning = (typeof OWN)[number] | "hop" | "other";

/** A server spells its headers the same way each time. */
const meanings = new Map<string, Meaning>();
const MAX_MEANINGS = 500;

function meaningOf(name: string): Meaning {
  const known = meanings.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const meaning = OWN.find((own) => own === lower) ?? (HOP_BY_HOP.has(lower) ? "hop" : "other");
  if (meanings.size < MAX_MEANINGS) meanings.set(name, meaning);
  return meaning;
}
