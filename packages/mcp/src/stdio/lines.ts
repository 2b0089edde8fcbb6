import { createSplitter, type Splitter } from "../wire/pieces.ts";

const LINE_FEED = 0x0a;

/** Makes a splitter of lines; a line ends with its line feed. */
export function createLineSplitter(maxLineBytes: number): Splitter {
  // `indexOf` is -1 where there is none.
  return createSplitter(maxLineBytes, (chunk, start) => chunk.indexOf(LINE_FEED, start) + 1 || -1);
}
