import { join } from "../shared/index.ts";

/** A place in a text, counted from 1. */
export interface TokenPosition {
  readonly line: number;
  readonly column: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Where each value of a JSON text begins, by its JSON Pointer; a member begins at its key. */
export function positionsIn(text: string): ReadonlyMap<string, TokenPosition> {
  const tokens = [...text.matchAll(TOKEN)];
  const lines = lineStarts(text);
  const found = new Map<string, TokenPosition>();
  let at = 0;

  function positionOf(offset: number): TokenPosition {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
  }

  const peek = (): string | undefined => tokens[at]?.[0];
  const skip = (token: string): void => {
    if (peek() === token) at += 1;
  };

  function value(pointer: string, start: number): void {
    found.set(pointer, positionOf(start));
    const token = peek();
    at += 1;
    if (token === "{") members(pointer);
    else if (token === "[") items(pointer);
  }

  function members(pointer: string): void {
    while (at < tokens.length && peek() !== "}") {
      const start = tokens[at]?.index ?? 0;
      const key = JSON.parse(peek() ?? '""') as string;
      at += 1;
      skip(":");
      value(join(pointer, key), start);
      skip(",");
    }
    at += 1;
  }

  function items(pointer: string): void {
    for (let index = 0; at < tokens.length && peek() !== "]"; index += 1) {
      value(join(pointer, index), tokens[at]?.index ?? 0);
      skip(",");
    }
    at += 1;
  }

  value("", tokens[0]?.index ?? 0);
  return found;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
