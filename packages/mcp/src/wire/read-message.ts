import { PARSE_ERROR, INVALID_REQUEST } from "./json-rpc-errors.ts";
import { MOST_NAMES, withoutCrowd } from "./crowded.ts";
import { endOfString } from "./end-of-string.ts";
import { mayMatterInText } from "./handled-messages.ts";
import { isRecord, type Message } from "@toolcontract/mcp-client/wire";
import { readRequestId, type RequestId } from "./message.ts";
import { createOutline } from "./outline.ts";
import { keepText } from "./sent-text.ts";
import { noteRounded } from "./rounded.ts";

const NOT_ASCII = /[\u0080-\u00ff]/;

/** What the bytes of a client's message say. */
export type MessageReading =
  | { readonly kind: "message"; readonly message: Message }
  /** Nothing that a server could take for a tool call. */
  | { readonly kind: "other" }
  | {
      readonly kind: "unreadable";
      readonly problem: Problem;
      /** One of the messages that parsers may read; undefined if it is not a message at all. */
      readonly message?: Message;
    };

/** Why a message cannot be validated, as a JSON-RPC error. */
export interface Problem {
  /** The code of the error. */
  readonly code: number;
  /** The reason in a few words, without a period. */
  readonly message: string;
  readonly id: RequestId | null;
}

// Strips a byte order mark, as the readers of servers do.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a client's message, unless another parser could read another one from the same bytes: parsers differ in what
 * they make of invalid UTF-8, invalid JSON and names that occur twice.
 */
export function readMessage(bytes: Buffer): MessageReading {
  let text: string;
  try {
    // Most messages are ASCII, and are read faster as such.
    text = bytes.toString("latin1");
    if (NOT_ASCII.test(text)) text = utf8.decode(bytes);
  } catch {
    return unreadableMessage(PARSE_ERROR, "the message is not UTF-8");
  }
  const sparse = withoutCrowd(text);
  if (sparse !== undefined) return crowded(sparse);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadableMessage(PARSE_ERROR, "the message is not valid JSON");
  }
  const mayMatter = mayMatterInText(text);
  if (Array.isArray(value) && mayMatter) {
    return unreadableMessage(
      INVALID_REQUEST,
      "a batch must not hold tool calls; send each one alone",
    );
  }
  if (!isRecord(value)) return { kind: "other" };
  if (mayMatter && (isNamedOtherwise(value) || countNames(text) !== countMembers(value))) {
    const id = readRequestId(value["id"]) ?? null;
    const message = "a name occurs twice in one object";
    return { kind: "unreadable", problem: { code: PARSE_ERROR, message, id }, message: value };
  }
  if (mayMatter) noteRounded(value, text);
  keepText(value, text);
  return { kind: "message", message: value };
}

/** A message that is not parsed, because that takes long; one that cannot be a call need not be. */
function crowded(sparse: string): MessageReading {
  const outline = createOutline();
  outline.read(Buffer.from(sparse));
  if (!outline.mayBeCall()) return { kind: "other" };
  const message = `an object has more than ${MOST_NAMES} names; send them in several calls`;
  const id = outline.id() ?? null;
  return { kind: "unreadable", problem: { code: INVALID_REQUEST, message, id } };
}

/** The problem of a message that is too long to be read. */
export function tooLarge(maxBytes: number): Problem {
  const message = `the message is larger than ${maxBytes} bytes; raise --max-body to send it`;
  return { code: INVALID_REQUEST, message, id: null };
}

function unreadableMessage(code: number, message: string): MessageReading {
  return { kind: "unreadable", problem: { code, message, id: null } };
}

const OF_MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const OF_CALL = new Set(["name", "arguments"]);

/** Whether a member is spelt in another case: some parsers ignore case, and would see it twice. */
function isNamedOtherwise(message: Message): boolean {
  const { params } = message;
  return hasOtherCase(message, OF_MESSAGE) || (isRecord(params) && hasOtherCase(params, OF_CALL));
}

function hasOtherCase(object: Message, names: ReadonlySet<string>): boolean {
  for (const name in object) if (differsInCase(name, names)) return true;
  return false;
}

function differsInCase(name: string, names: ReadonlySet<string>): boolean {
  // Compares in upper case, because some letters outside ASCII have these as their capitals.
  return !names.has(name) && names.has(name.toUpperCase().toLowerCase());
}

/** Counts the names in JSON text that is valid: every string that a colon follows. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', start)) {
    const end = endOfString(text, start);
    start = end;
    while (isJsonSpace(text.charCodeAt(start))) start += 1;
    if (text[start] === ":") count += 1;
  }
  return count;
}

function isJsonSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function countMembers(root: unknown): number {
  let count = 0;
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) {
      for (const member of value) if (isJsonContainer(member)) pending.push(member);
      continue;
    }
    const object = value as Message;
    // Parsed JSON inherits no names.
    for (const name in object) {
      count += 1;
      const member = object[name];
      if (isJsonContainer(member)) pending.push(member);
    }
  }
  return count;
}

function isJsonContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
