import { type Message, parseMessage } from "./message.ts";

/** Part of a stream of units, such as lines or server-sent events. */
export interface Piece {
  /** The original bytes, with the unit's terminator if it has arrived. */
  readonly bytes: Buffer;
  /** Whether this is a complete unit within the size limit, so that it can be parsed. */
  readonly whole: boolean;
  /** Whether a unit ends here. */
  readonly ends: boolean;
}

/** Splits a stream into units without changing a byte. */
export interface Splitter {
  /** Takes the next bytes and returns what is complete. */
  readonly push: (chunk: Buffer) => readonly Piece[];
  /** Returns what is left at the end of the stream: a last unit without terminator. */
  readonly end: () => readonly Piece[];
}

/** The index after the last byte of the unit that continues at `start`, or -1 if the chunk does not end it. */
type FindEnd = (chunk: Buffer, start: number) => number;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Splits a stream into lines; a line includes its line feed. */
export function createLineSplitter(maxLineBytes: number): Splitter {
  // indexOf is -1 if there is no line feed, and 0 is falsy.
  return createSplitter(maxLineBytes, (chunk, start) => chunk.indexOf(LINE_FEED, start) + 1 || -1);
}

/** Splits a stream into server-sent events; an event ends with an empty line, in any style of line ending. */
export function createEventSplitter(maxEventBytes: number): Splitter {
  let isLineEmpty = true;
  let isAfterReturn = false;
  let isBetween = false;
  const nextFeed = createSearch(LINE_FEED);
  const nextReturn = createSearch(CARRIAGE_RETURN);

  return createSplitter(maxEventBytes, (chunk, start) => {
    for (let index = start; index < chunk.length; index += 1) {
      const byte = chunk[index];
      const isSecondHalf = byte === LINE_FEED && isAfterReturn;
      isAfterReturn = byte === CARRIAGE_RETURN;
      if (isSecondHalf) {
        // The event was already passed on at the carriage return, and its reader waits for this byte.
        if (isBetween) return index + 1;
        continue;
      }
      isBetween = false;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        isLineEmpty = false;
        // The line may be long, and looking at each of its bytes here takes ten times as long.
        index = Math.min(nextFeed(chunk, index), nextReturn(chunk, index)) - 1;
        continue;
      }
      if (isLineEmpty) {
        isBetween = isAfterReturn;
        if (isBetween && chunk[index + 1] === LINE_FEED) continue;
        return index + 1;
      }
      isLineEmpty = true;
    }
    return -1;
  });
}

/** Creates the search for a byte in the chunks of a stream, from ever later places; it looks at each place once. */
function createSearch(byte: number): (chunk: Buffer, from: number) => number {
  let searched: Buffer | undefined;
  let at = 0;
  return (chunk, from) => {
    if (chunk !== searched || at < from) {
      searched = chunk;
      const found = chunk.indexOf(byte, from);
      at = found === -1 ? chunk.length : found;
    }
    return at;
  };
}

/** Parses the message in an event's data; undefined if there is none. */
export function messageInEvent(event: Buffer): Message | undefined {
  const data = linesOf(event)
    .filter(isData)
    .map((line) => line.replace(/^data(?:: ?)?/, ""));
  return data.length === 0 ? undefined : parseMessage(Buffer.from(data.join("\n")));
}

/** Returns the event with another message as its data; its other fields stay. */
export function withMessage(event: Buffer, message: Message): Buffer {
  const others = linesOf(event).filter((line) => line !== "" && !isData(line));
  return Buffer.from([...others, `data: ${JSON.stringify(message)}`, "", ""].join("\n"));
}

function linesOf(event: Buffer): readonly string[] {
  return event.toString("utf8").split(/\r\n|\n|\r/);
}

function isData(line: string): boolean {
  return line === "data" || line.startsWith("data:");
}

/** Buffers at most `maxBytes` of a unit; a longer one is passed on in parts. */
function createSplitter(maxBytes: number, findEnd: FindEnd): Splitter {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let isLong = false;

  function take(part: Buffer, ends: boolean): Piece | undefined {
    const fits = !isLong && keptBytes + part.length <= maxBytes;
    if (fits && !ends) {
      kept.push(part);
      keptBytes += part.length;
      return undefined;
    }
    const bytes = kept.length === 0 ? part : Buffer.concat([...kept, part]);
    kept = [];
    keptBytes = 0;
    isLong = !ends;
    return { bytes, whole: fits, ends };
  }

  return {
    push(chunk) {
      const pieces: Piece[] = [];
      for (let start = 0; start < chunk.length;) {
        const end = findEnd(chunk, start);
        const stop = end === -1 ? chunk.length : end;
        const piece = take(chunk.subarray(start, stop), end !== -1);
        if (piece) pieces.push(piece);
        start = stop;
      }
      return pieces;
    },
    end: () => (keptBytes === 0 ? [] : [{ bytes: Buffer.concat(kept), whole: true, ends: false }]),
  };
}
