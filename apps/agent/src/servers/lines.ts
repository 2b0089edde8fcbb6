/** The longest line that is read, in bytes. */
export const MAX_LINE: number = 10 * 1024 * 1024;

/** What is kept of a longer one, at each end: the id of a message stands there. */
const KEPT = 1_024;

/** A line that was too long to be read. */
export interface LongLine {
  readonly bytes: number;
  readonly start: string;
  readonly end: string;
}

/** A line, or what is left of one that was too long. */
export type Line = { readonly text: string } | LongLine;

/** Splits what a server writes into lines, and skips one that is too long to its end. */
export interface Lines {
  readonly push: (chunk: Buffer) => readonly Line[];
}

/** Creates the lines of one server. */
export function createLines(max: number = MAX_LINE): Lines {
  let held: Buffer[] = [];
  let bytes = 0;
  /** The beginning of a line that is skipped, and the last bytes of it. */
  let start: Buffer | undefined;
  let end: Buffer = Buffer.alloc(0);

  function add(part: Buffer): void {
    bytes += part.length;
    if (start === undefined) {
      held.push(part);
      if (bytes <= max) return;
      const whole = Buffer.concat(held);
      start = whole.subarray(0, KEPT);
      end = whole.subarray(-KEPT);
      held = [];
    } else {
      end = Buffer.concat([end, part]).subarray(-KEPT);
    }
  }

  function finish(): Line {
    const line =
      start === undefined
        ? { text: Buffer.concat(held).toString("utf8") }
        : { bytes, start: start.toString("utf8"), end: end.toString("utf8") };
    held = [];
    bytes = 0;
    start = undefined;
    end = Buffer.alloc(0);
    return line;
  }

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at));
        lines.push(finish());
        from = at + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
      return lines.filter((line) => !("text" in line) || line.text.trim() !== "");
    },
  };
}

/** The id of a message by its beginning or its end, if it is one that is waited for. */
export function idIn<Id extends string | number>(
  start: string,
  end: string,
  waiting: ReadonlySet<Id>,
): Id | undefined {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")/u.exec(
    start,
  );
  const last = /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u.exec(end);
  for (const found of [first, last]) {
    if (found?.[1] === undefined) continue;
    const id = JSON.parse(found[1]) as Id;
    if (waiting.has(id)) return id;
  }
  return undefined;
}
