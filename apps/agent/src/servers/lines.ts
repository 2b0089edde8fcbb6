import { createLineSplitter, type Piece } from "@toolcontract/mcp-client/wire";

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
  const splitter = createLineSplitter(max);
  /** The beginning of a line that is skipped, and the last bytes of it. */
  let long: { readonly bytes: number; readonly start: Buffer; readonly end: Buffer } | undefined;

  function skip({ bytes, ends }: Piece): LongLine | undefined {
    const end = Buffer.concat([long?.end ?? NOTHING, bytes]).subarray(-KEPT);
    const start = long?.start ?? Buffer.from(bytes.subarray(0, KEPT));
    long = { bytes: (long?.bytes ?? 0) + bytes.length, start, end };
    if (!ends) return undefined;
    const line = { bytes: long.bytes - 1, start: String(start), end: withoutEnd(end) };
    long = undefined;
    return line;
  }

  return {
    push: (chunk) =>
      splitter.push(chunk).flatMap((piece): readonly Line[] => {
        if (!piece.whole) return [skip(piece)].filter((line) => line !== undefined);
        const text = withoutEnd(piece.bytes);
        return text.trim() === "" ? [] : [{ text }];
      }),
  };
}

const NOTHING = Buffer.alloc(0);

function withoutEnd(line: Buffer): string {
  return line.toString("utf8").replace(/\n$/u, "");
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
