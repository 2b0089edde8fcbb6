import { finished, type Readable } from "node:stream";

/** Calls back once when a stream gives no more bytes, whether it ended, broke or was closed. */
export function whenEnded(stream: Readable, callback: () => void): void {
  finished(stream, { writable: false }, () => {
    callback();
  });
}
