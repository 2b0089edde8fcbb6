import type { Gate, Link } from "../gate/index.ts";
import {
  createDataReader,
  createOutline,
  mayMatterFromServer,
  type Message,
  messageInEvent,
  type Outline,
  type Piece,
  withMessage,
} from "../wire/index.ts";
import { eventOf } from "./exchange.ts";
import { isAnswerTo } from "./lost-response.ts";
import type { CallStream, OpenCall } from "./open-calls.ts";

/** Who inspects a response, and up to which message size. */
export interface Watch {
  readonly gate: Gate;
  readonly link: Link;
  /** The id of the request that is answered. */
  readonly id: unknown;
  /** The tool call whose answer is due on the response. */
  readonly call: OpenCall | undefined;
  /** Answers it there. */
  readonly stream: CallStream;
  readonly maxMessageBytes: number;
  /** After this silence a stream of events gets a comment. */
  readonly silenceMs: number;
  /** Whether the call's time is over: then the client gets another answer. */
  readonly isOver: () => boolean;
}

/** The empty line after an event. */
export const END_OF_EVENT: Buffer = Buffer.from("\n\n");

/** Looks at the events of one stream. */
export interface Inspection {
  /** Gives events with the gate's replacements, in their original order. */
  readonly inspect: (pieces: readonly Piece[]) => Promise<Buffer>;
  /** Whether an event has begun and not ended. */
  readonly isOpen: () => boolean;
  /** Call when the stream is over: gives the contract's answer to a call whose own answer will not come. */
  readonly lost: (how: "stream" | "connection") => Promise<Buffer | undefined>;
}

export function createInspection(watch: Watch): Inspection {
  const { call, stream } = watch;
  const passLong = longEventsOf(watch);
  const seen: Seen = { isAnswered: false };
  let isOpen = false;
  return {
    async inspect(pieces) {
      const events: Buffer[] = [];
      for (const piece of pieces) {
        if (!piece.whole) passLong(piece);
        isOpen = !piece.ends;
        const event = inspectedEvent(piece, watch, seen);
        events.push(event instanceof Promise ? await event : event);
      }
      return events.length === 1 && events[0] ? events[0] : Buffer.concat(events);
    },
    isOpen: () => isOpen,
    async lost(how) {
      if (call === undefined || seen.isAnswered) return undefined;
      if (call.isResumable()) {
        call.wait(stream);
        return undefined;
      }
      const other = await call.lose({ kind: "unanswered", how });
      if (!other) return undefined;
      const event = Buffer.from(eventOf(other));
      return isOpen ? Buffer.concat([END_OF_EVENT, event]) : event;
    },
  };
}

/** What a stream has had that matters to the end of its call. */
interface Seen {
  isAnswered: boolean;
}

/** Returns the function that follows the parts of events over the size limit, and tells the gate of each. */
function longEventsOf({ gate, link }: Watch): (part: Piece) => void {
  let outline: Outline | undefined;
  return ({ bytes, ends }) => {
    if (outline === undefined) {
      outline = createOutline();
      // The message follows the names of the event's fields.
      const start = bytes.indexOf("{");
      if (start !== -1) outline.read(bytes.subarray(start));
    } else outline.read(bytes);
    if (!ends) return;
    gate.passUnread({ from: "server", answers: outline.answers() }, link);
    outline = undefined;
  };
}

function inspectedEvent(
  { bytes, whole, ends }: Piece,
  { gate, link, id, call }: Watch,
  seen: Seen,
): Buffer | Promise<Buffer> {
  if (isEndpointEvent(bytes)) gate.contract.settings.degraded("http-sse", new HttpSseTransport());
  const isAwaited = gate.awaits(link);
  const isNeeded = whole && ends && (isAwaited || mayMatterFromServer(bytes));
  const message = isNeeded ? messageInEvent(bytes) : undefined;
  if (call && isAwaited) {
    seen.isAnswered ||= isAnswerTo(message, id);
    call.saw(bytes.toString("latin1"));
  }
  const replacement = message && gate.fromServer(message, link, () => dataOf(bytes));
  const put = (other: Message | null | undefined): Buffer => {
    if (other === null) return NOTHING;
    return other ? withMessage(bytes, other) : bytes;
  };
  return replacement instanceof Promise ? replacement.then(put) : put(replacement);
}

function dataOf(event: Buffer): string {
  const parts: Buffer[] = [];
  createDataReader((part) => parts.push(part))(event);
  return Buffer.concat(parts).toString("utf8");
}

const NOTHING = Buffer.alloc(0);

/** The server uses the old HTTP+SSE transport, whose calls are sent to another path. */
class HttpSseTransport extends Error {}

const ENDPOINT = "endpoint";

/** Whether a part of a stream needs to be looked at. */
export function mayMatter(bytes: Buffer): boolean {
  return mayMatterFromServer(bytes) || bytes.includes(ENDPOINT);
}

/** The first event of the old transport, which names the path for messages. */
function isEndpointEvent(bytes: Buffer): boolean {
  return bytes.includes(ENDPOINT) && /^event: ?endpoint\s*$/m.test(bytes.toString("latin1"));
}
