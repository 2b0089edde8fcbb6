import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { UnvalidatedMessage } from "../gate/index.ts";
import { type Message, readMessage, tooLarge } from "../wire/index.ts";
import type { BodyBudget } from "./body-budget.ts";
import { type Header, without } from "./headers.ts";
import { readBody } from "./read-body.ts";

/** A request's body as it was read, and as it is forwarded. */
export type Received = Forwardable &
  (
    | { readonly kind: "message"; readonly message: Message }
    /** Nothing that a server could take for a tool call. */
    | { readonly kind: "other" }
    | {
        readonly kind: "unvalidated";
        readonly problem: UnvalidatedMessage;
        readonly status: number;
      }
  );

/** What is sent to the server. */
interface Forwardable {
  /** The body, or the beginning of one that is too large. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
  /** The headers that belong to it. */
  readonly headers: readonly Header[];
}

/** How much is read. */
export interface ReadLimits {
  readonly maxMessageBytes: number;
  readonly budget: BodyBudget;
}

const PARSE_ERROR = -32_700;
/** A byte order mark: some servers refuse it, others do not see it. */
const MARK = [0xef, 0xbb, 0xbf];
const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** Whether a request has a body, whatever its method: some servers look at nothing but the path. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": coding } = headers;
  return coding !== undefined || Number(length) > 0;
}

/**
 * Reads a request's body once, for the gate and for the server. A compressed one is forwarded decoded, so that the
 * server cannot decode another message from it.
 *
 * @param headers - The headers that are forwarded: the server sees no others.
 */
export async function readRequest(
  request: IncomingMessage,
  headers: readonly Header[],
  { maxMessageBytes, budget }: ReadLimits,
): Promise<Received> {
  const { bytes, whole: isWhole } = await readBody(request, maxMessageBytes, budget);
  const sent = { bytes, isWhole, headers };
  if (!isWhole) return unread(sent, maxMessageBytes);
  if (bytes.length === 0) return { ...sent, kind: "other" };
  if (valuesOf(headers, "content-type").some(hasOtherCharset)) {
    return unreadable(sent, 415, "the charset of a message must be UTF-8");
  }
  const codings = codingsOf(headers);
  if (codings === undefined) return withMessage(sent);
  const plain = { ...sent, headers: without(headers, ["content-encoding"]) };
  const [coding] = codings;
  if (coding === undefined) return withMessage(plain);
  const decode = DECODERS.get(coding);
  if (decode === undefined || codings.length > 1) {
    return unreadable(sent, 415, "the content encoding must be gzip, deflate, br or identity");
  }
  try {
    const decoded = await decode(bytes, { maxOutputLength: maxMessageBytes });
    return withMessage({ ...plain, bytes: decoded });
  } catch (thrown) {
    if (thrown instanceof RangeError) return unread(sent, maxMessageBytes);
    return unreadable(sent, 400, "the body is not encoded as its content encoding says");
  }
}

function withMessage(received: Forwardable): Received {
  const { bytes } = received;
  const hasMark = MARK.every((byte, index) => bytes[index] === byte);
  const sent = hasMark ? { ...received, bytes: bytes.subarray(MARK.length) } : received;
  const reading = readMessage(sent.bytes);
  switch (reading.kind) {
    case "message":
      return { ...sent, kind: "message", message: reading.message };
    case "other":
      return { ...sent, kind: "other" };
    case "unreadable": {
      const problem = { reason: "unreadable", ...reading.problem } as const;
      return { ...sent, kind: "unvalidated", problem, status: 400 };
    }
  }
}

function unreadable(sent: Forwardable, status: number, message: string): Received {
  const problem = { reason: "unreadable", code: PARSE_ERROR, message, id: null } as const;
  return { ...sent, kind: "unvalidated", problem, status };
}

function unread(sent: Forwardable, maxBytes: number): Received {
  const problem = { reason: "too-large", ...tooLarge(maxBytes) } as const;
  return { ...sent, kind: "unvalidated", problem, status: 413 };
}

/** All charsets in any spelling, because servers differ in which one they find. */
function hasOtherCharset(contentType: string): boolean {
  const charsets = contentType.matchAll(/charset[\d*]*\s*=\s*"?([^\s";,]*)/gi);
  return [...charsets].some(([, charset = ""]) => !/^utf-?8$/i.test(charset));
}

/** The codings of a body in their order, without `identity`; undefined if there is no such header. */
function codingsOf(headers: readonly Header[]): readonly string[] | undefined {
  const values = valuesOf(headers, "content-encoding");
  if (values.length === 0) return undefined;
  const codings = values.flatMap((value) => value.split(","));
  return codings
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  return headers.flatMap(([other, value]) => (other.toLowerCase() === name ? [value] : []));
}
