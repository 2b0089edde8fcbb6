import type { Fault } from "../fault.ts";
import type { JsonProblem } from "./scan-notes.ts";

/** The fault of a text that is no JSON (VAL-004): a position and fixed words, never the text. */
export function invalidJsonFault(text: string, problem: JsonProblem): Fault {
  const { offset } = problem;
  const lineStart = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const line = countLineBreaks(text, lineStart) + 1;
  const column = offset - lineStart + 1;
  return {
    code: "VAL-004",
    path: [],
    message: `Invalid JSON at position ${offset} (line ${line}, column ${column})`,
    expected: "one JSON object",
    hint: problem.hint,
  };
}

/** What a model whose output was too long has to do. */
export const SEND_SHORTER = "send shorter arguments, or split the work into several calls";

// A text this short was hardly cut for its length.
const LONG = 2_000;

/** The fault of arguments that end early (VAL-011); `length` is that of the text, where there is one. */
export function cutOffFault(length: number | undefined, hitLimit: boolean): Fault {
  const after =
    length === undefined ? "" : ` after ${length} ${length === 1 ? "character" : "characters"}`;
  return {
    code: "VAL-011",
    path: [],
    message: `Arguments were cut off${after}`,
    expected: "complete JSON",
    hint:
      hitLimit || (length ?? 0) > LONG
        ? SEND_SHORTER
        : "send the JSON to its end; if your output was cut, send less in one call",
  };
}

function countLineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}
