import { finished, type Readable, type Writable } from "node:stream";
import type { Message, Piece } from "../wire/index.ts";

/** Writes lines to a stream without interleaving them. */
export interface LineWriter {
  /** Passes a piece of the relayed stream on. */
  readonly relay: (piece: Pick<Piece, "bytes" | "ends">) => void;
  /** Inserts a whole line, after the line that is being relayed. */
  readonly insert: (line: Buffer) => void;
  /** Runs a task; what it writes leaves together, because each write of its own is a call of the system. */
  readonly together: (task: () => void) => void;
  /** Whether the stream's buffer is full. */
  readonly congested: () => boolean;
  /** How many bytes are waiting to be written. */
  readonly backlog: () => number;
  /** Ends the stream after everything that is waiting. */
  readonly end: () => void;
}

const LINE_FEED = 0x0a;
/** Above this size, copying bytes costs more than another write. */
const MAX_COPIED = 16 * 1024;
/** Of more lines, the reader has the first to work on while the others are still looked at. */
const MOST_TOGETHER = 8;

/** Creates the writer of a stream; what a broken stream does not take is dropped. */
export function createLineWriter(stream: Writable): LineWriter {
  const waiting: Buffer[] = [];
  let insideLine = false;
  // The last line of a stream may lack its line feed; nothing more comes of it.
  let isUnended = false;
  // Standard output stays `writable` after an error.
  let isBroken = false;
  stream.on("error", () => {
    isBroken = true;
  });

  /** What is written while a task runs. */
  let gathered: Buffer[] | undefined;

  function write(bytes: Buffer): void {
    if (gathered && bytes.length <= MAX_COPIED) {
      gathered.push(bytes);
      if (gathered.length === MOST_TOGETHER) writeGathered();
      return;
    }
    writeGathered();
    writeNow(bytes);
  }
  function writeGathered(): void {
    if (gathered === undefined || gathered.length === 0) return;
    const [first, ...others] = gathered;
    gathered = [];
    if (first) writeNow(others.length === 0 ? first : Buffer.concat([first, ...others]));
  }
  function writeNow(bytes: Buffer): void {
    if (!isBroken && stream.writable) stream.write(bytes);
  }
  function writeLine(line: Buffer): void {
    if (isUnended) write(Buffer.from("\n"));
    write(line);
    isUnended = line.at(-1) !== LINE_FEED;
  }
  function flush(): void {
    waiting.splice(0).forEach(writeLine);
  }

  return {
    relay({ bytes, ends }) {
      write(bytes);
      insideLine = !ends;
      if (ends) flush();
    },
    insert(line) {
      if (insideLine) waiting.push(line);
      else writeLine(line);
    },
    together(task) {
      gathered = [];
      try {
        task();
      } finally {
        writeGathered();
        gathered = undefined;
      }
    },
    congested: () => !isBroken && stream.writable && stream.writableNeedDrain,
    backlog: () => (isBroken ? 0 : stream.writableLength),
    end() {
      if (waiting.length > 0) {
        write(Buffer.from("\n"));
        flush();
      }
      writeGathered();
      stream.end();
    },
  };
}

/** Serializes a message as one line. */
export function toLine(message: Message): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

/** Calls back once when a stream can give no more bytes, because it ended, failed or was closed. */
export function whenEnded(stream: Readable, callback: () => void): void {
  finished(stream, { writable: false }, () => {
    callback();
  });
}
