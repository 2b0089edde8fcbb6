import { type Node, parseTree } from "jsonc-parser";

/** A range in a string. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a JSON text consists of, as far as it can be read. */
export function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch (thrown) {
    // It recurses, and brackets may be nested deeper than the stack.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Where a part of it is. */
export function spanOf({ offset, length }: Node): Span {
  return { from: offset, to: offset + length };
}
