import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { UnvalidatedMessage } from "../gate/index.ts";
import {
  createOutline,
  type Message,
  type Outline,
  readMessage,
  tooLarge,
  PARSE_ERROR,
} from "../wire/index.ts";
import type { BodyBudget, BodyShare } from "./body-budget.ts";
import { codingsIn, decoderOf } from "./codings.ts";
import { type Header, isNamed, rawHeaderValue, headerValue, without } from "./headers.ts";
import { foundOnce } from "./known-head.ts";
import { arrivedBody, type Body, BodyCutOff, readDecoded } from "./read-body.ts";

/** A request's body as it was read, and as it is forwarded. */
export type Received = Forwardable &
  (
    | { readonly kind: "message"; readonly message: Message }
    /** Nothing that a server could take for a tool call. */
    | { readonly kind: "other" }
    /** Too large to be read. What has arrived is not a call; the outline must follow the rest. */
    | { readonly kind: "large"; readonly outline: Outline }
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
  /** What it uses of the budget; to be closed when the server has it, or never gets it. */
  readonly share?: BodyShare | undefined;
}

/** How much is read. */
export interface ReadLimits {
  readonly maxMessageBytes: number;
  readonly budget: BodyBudget;
}

/** A byte order mark: some servers refuse it, others do not see it. */
const MARK = [0xef, 0xbb, 0xbf];

/** Whether a request has a body, whatever its method: some servers look at nothing but the path. */
export function hasBody({ rawHeaders }: IncomingMessage): boolean {
  const length = rawHeaderValue(rawHeaders, "content-length") ?? "0";
  return Number(length) > 0 || rawHeaderValue(rawHeaders, "transfer-encoding") !== undefined;
}

/**
 * Reads a request's body once its packet is parsed, for the gate and for the server. A compressed one is forwarded decoded, so
 * that the server cannot decode another message from it.
 *
 * @param headers - The headers that are forwarded: the server sees no others.
 */
export function readRequest(
  request: IncomingMessage,
  headers: readonly Header[],
  limits: ReadLimits,
): Received | Promise<Received> {
  const body = arrivedBody(request, limits.maxMessageBytes, limits.budget);
  // A promise of its own is what small bodies do without.
  return body instanceof Promise
    ? body.then(async (late) => readInTurns(late, headers, limits))
    : readFrom(body, headers, limits);
}

/** Larger messages take a while to be read, and to be judged: others have their turn in between. */
const LARGE = 256 * 1024;

async function readInTurns(
  body: Body,
  headers: readonly Header[],
  limits: ReadLimits,
): Promise<Received> {
  const received = await readFrom(body, headers, limits);
  if (received.bytes.length > LARGE) await setImmediate();
  return received;
}

function readFrom(
  { bytes, whole: isWhole, share }: Body,
  headers: readonly Header[],
  limits: ReadLimits,
): Received | Promise<Received> {
  const { maxMessageBytes } = limits;
  const sent = { bytes, isWhole, headers, share };
  const { codings, hasOtherCharset } = formOf(headers);
  if (!isWhole) return large(sent, maxMessageBytes, codings !== undefined && codings.length > 0);
  if (bytes.length === 0) return { ...sent, kind: "other" };
  if (hasOtherCharset) {
    return unreadable(sent, 415, "the charset of a message must be UTF-8");
  }
  if (codings === undefined) return withMessageRead(sent);
  return readCoded(sent, codings, limits);
}

async function readCoded(
  sent: Forwardable,
  codings: readonly string[],
  { maxMessageBytes, budget }: ReadLimits,
): Promise<Received> {
  const { bytes, headers, share } = sent;
  const plain = { ...sent, headers: without(headers, ["content-encoding"]) };
  if (codings.length === 0) return withMessageRead(plain);
  const decoder = decoderOf(codings);
  if (decoder === undefined) {
    return unreadable(sent, 415, "the content encoding must be gzip, deflate, br or identity");
  }
  try {
    const decoded = await readDecoded(decoder, bytes, maxMessageBytes, budget);
    if (decoded.whole) {
      share?.close();
      return withMessageRead({ ...plain, bytes: decoded.bytes, share: decoded.share });
    }
    decoded.share?.close();
    return large(sent, maxMessageBytes, true);
  } catch (thrown) {
    if (!(thrown instanceof BodyCutOff)) {
      share?.close();
      throw thrown;
    }
    return unreadable(sent, 400, "the body is not encoded as its content encoding says");
  }
}

function withMessageRead(received: Forwardable): Received {
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

/** A call that is too large is refused, and so is what may become one: of a compressed body, the rest is not followed. */
function large(sent: Forwardable, maxBytes: number, isCompressed: boolean): Received {
  const outline = createOutline();
  if (!isCompressed) {
    outline.read(sent.bytes);
    if (!outline.mayBeCall()) return { ...sent, kind: "large", outline };
  }
  const id = (isCompressed ? null : outline.id()) ?? null;
  const problem = { reason: "too-large", ...tooLarge(maxBytes), id, failsClosed: true } as const;
  return { ...sent, kind: "unvalidated", problem, status: 413 };
}

/** What the headers of a body say about its form. */
interface BodyForm {
  /** The codings of {@link codingsOf}. */
  readonly codings: readonly string[] | undefined;
  readonly hasOtherCharset: boolean;
}

const formOf = foundOnce((headers): BodyForm => {
  const types = headers.filter((header) => isNamed(header, "content-type"));
  return {
    codings: codingsOf(headers),
    hasOtherCharset: types.some(([, type]) => namesOtherCharset(type)),
  };
});

/** All charsets in any spelling, because servers differ in which one they find. */
function namesOtherCharset(contentType: string): boolean {
  const charsets = contentType.matchAll(/charset[\d*]*\s*=\s*"?([^\s";,]*)/gi);
  return [...charsets].some(([, charset = ""]) => !/^utf-?8$/i.test(charset));
}

/** The codings of a body in their order, without `identity`; undefined if there is no such header. */
function codingsOf(headers: readonly Header[]): readonly string[] | undefined {
  if (headerValue(headers, "content-encoding") === undefined) return undefined;
  const named = headers.filter((header) => isNamed(header, "content-encoding"));
  return codingsIn(named.map(([, value]) => value));
}
