import { type Readable, type Writable, finished } from "node:stream";
import type { Message, Piece } from "../wire/index.ts";

/** Writes lines to a stream so that none lands inside another. */
export interface MessageWriter {
  /** Passes a piece of the relayed stream on. */
  readonly relay: (piece: Pick<Piece, "bytes" | "ends">) => void;
  /** Writes a whole line between two others, now or once the line being relayed has ended. */
  readonly insert: (line: Buffer) => void;
  /** Whether the stream asks for a pause. */
  readonly congested: () => boolean;
  /** How many bytes wait to be written. */
  readonly backlog: () => number;
  /** Ends the stream after everything that waits. */
  readonly end: () => void;
}

const LINE_FEED = 0x0a;

/** Makes the writer of a stream; what a broken stream does not take is dropped. */
export function createMessageWriter(stream: Writable): MessageWriter {
  const waiting: Buffer[] = [];
  let insideLine = false;
  // Standard output stays "writable" after an error.
  let isBroken = false;
  stream.on("error", () => {
    isBroken = true;
  });

  function write(bytes: Buffer): void {
    if (!isBroken && stream.writable) stream.write(bytes);
  }
  function flush(): void {
    for (const line of waiting.splice(0)) write(line);
  }

  return {
    relay({ bytes, ends }) {
      write(bytes);
      insideLine = !ends;
      if (ends) flush();
    },
    insert(line) {
      if (insideLine) {
        waiting.push(line);
        return;
      }
      write(line);
      // The last line of a stream may lack its end.
      insideLine = line.at(-1) !== LINE_FEED;
    },
    congested: () => !isBroken && stream.writable && stream.writableNeedDrain,
    backlog: () => (isBroken ? 0 : stream.writableLength),
    end() {
      if (waiting.length > 0) {
        write(Buffer.from("\n"));
        flush();
      }
      stream.end();
    },
  };
}

/** Writes a message as a line of its own. */
export function toLine(message: Message): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

/** Calls back once when a stream gives no more bytes, whether it ended, broke or was closed. */
export function whenEnded(stream: Readable, callback: () => void): void {
  finished(stream, { writable: false }, () => {
    callback();
  });
}
