import { type Node, parseTree } from "jsonc-parser";
import { join } from "../shared/index.ts";

/** A place in a text, counted from 1. */
export interface TokenPosition {
  readonly line: number;
  readonly column: number;
}

/** Where each value of a JSON text begins, by its JSON Pointer; a member begins at its key. */
export function positionsIn(text: string): ReadonlyMap<string, TokenPosition> {
  const lines = lineStarts(text);
  const found = new Map<string, TokenPosition>();

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

  function visit(node: Node, pointer: string, start: number): void {
    found.set(pointer, positionOf(start));
    for (const [index, child] of (node.children ?? []).entries()) {
      const [key, value] = child.children ?? [];
      if (node.type === "array") visit(child, join(pointer, index), child.offset);
      else if (key && value) visit(value, join(pointer, String(key.value)), key.offset);
    }
  }

  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root) visit(root, "", root.offset);
  return found;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
