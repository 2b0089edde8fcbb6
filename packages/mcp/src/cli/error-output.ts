import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";

/** Standard error. What nobody reads is dropped: it must neither stop the protocol nor fill the memory. */
export interface ErrorOutput {
  readonly write: (text: string | Buffer) => void;
  /** Calls back with the number of lines that were dropped, once somebody reads again. */
  readonly onReadAgain: (listener: (lines: number) => void) => void;
  /** How many lines were dropped so far. */
  readonly droppedLines: () => number;
}

/** So much may wait, in bytes, for a reader that is only slow. */
const MAX_UNREAD = 1024 * 1024;
const LINE_FEED = 0x0a;

/** Creates the output on a stream that does not block. */
export function createErrorOutput(stream: Writable): ErrorOutput {
  let dropped = 0;
  let reported = 0;
  let insideLine = false;

  function write(text: string | Buffer): void {
    if (stream.writableLength > MAX_UNREAD) {
      dropped += linesIn(text);
      return;
    }
    stream.write(text);
    insideLine = text.at(-1) !== (typeof text === "string" ? "\n" : LINE_FEED);
  }
  return {
    write,
    onReadAgain(listener) {
      stream.on("drain", () => {
        const lines = dropped - reported;
        if (lines === 0) return;
        reported = dropped;
        // The end of this line is among the dropped.
        if (insideLine) write("\n");
        listener(lines);
      });
    },
    droppedLines: () => dropped,
  };
}

function linesIn(text: string | Buffer): number {
  return (typeof text === "string" ? text : text.toString("latin1")).split("\n").length - 1;
}

/** Whether a program that writes to this stream itself waits for a reader: files and terminals always take more. */
export function mayBlock(stream: Writable & { readonly fd?: number }): boolean {
  if (stream.fd === undefined) return true;
  try {
    const stats = fstatSync(stream.fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}
