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
export type FindEnd = (chunk: Buffer, start: number) => number;

/** Makes a splitter that keeps at most `maxBytes`; a longer unit is passed on in parts. */
export function createSplitter(maxBytes: number, findEnd: FindEnd): Splitter {
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
