import { type Message, parseMessage } from "./message.ts";

/** A piece of a stream that consists of units such as lines. */
export interface Piece {
  /** The very bytes of the stream, with what ends the unit. */
  readonly bytes: Buffer;
  /** Whether this is a whole unit, short enough to be looked at. */
  readonly whole: boolean;
  /** Whether a unit ends with it. */
  readonly ends: boolean;
}

/** Cuts a stream into units without changing a byte. */
export interface Splitter {
  /** Takes the next bytes and gives what is complete. */
  readonly push: (chunk: Buffer) => readonly Piece[];
  /** Gives what is left when the stream has ended: a last unit without its end. */
  readonly end: () => readonly Piece[];
}

/** Finds where the unit ends that goes on at `start`, or -1; the answer is the index after its last byte. */
type FindEnd = (chunk: Buffer, start: number) => number;

/** Makes a splitter that keeps at most `maxBytes`; a longer unit is passed on in parts. */
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

const LINE_FEED = 0x0a;

/** Makes a splitter of lines; a line ends with its line feed. */
export function createLineSplitter(maxLineBytes: number): Splitter {
  // `indexOf` is -1 where there is none.
  return createSplitter(maxLineBytes, (chunk, start) => chunk.indexOf(LINE_FEED, start) + 1 || -1);
}

const CARRIAGE_RETURN = 0x0d;

/** Makes a splitter of server-sent events; an event ends with an empty line, whatever ends its lines. */
export function createEventSplitter(maxEventBytes: number): Splitter {
  let isLineEmpty = true;
  let isAfterReturn = false;
  let isBetween = false;

  return createSplitter(maxEventBytes, (chunk, start) => {
    for (let index = start; index < chunk.length; index += 1) {
      const byte = chunk[index];
      const isSecondHalf = byte === LINE_FEED && isAfterReturn;
      isAfterReturn = byte === CARRIAGE_RETURN;
      if (isSecondHalf) {
        // The event was passed on already, and its reader waits for this byte.
        if (isBetween) return index + 1;
        continue;
      }
      isBetween = false;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        isLineEmpty = false;
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

/** The message that an event carries. */
export function messageOf(event: Buffer): Message | undefined {
  const data = linesOf(event)
    .filter(isData)
    .map((line) => line.replace(/^data(?:: ?)?/, ""));
  return data.length === 0 ? undefined : parseMessage(Buffer.from(data.join("\n")));
}

/** The same event with another message; its id and kind stay. */
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
