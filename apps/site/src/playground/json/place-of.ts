import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";

/** A range in a string. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Where in a JSON text a place is: the name and value of a field, or an item. What is not there is the bracket of what it is
 * missing in. The text may be broken; undefined if nothing of it can be read.
 *
 * @param pointer - A JSON pointer, such as `/path`; anything else is the whole text.
 */
export function placeOf(text: string, pointer: string): Span | undefined {
  const root = treeOf(text);
  if (root === undefined) return undefined;
  if (!pointer.startsWith("/")) return spanOf(root);
  let place = root;
  for (const written of pointer.slice(1).split("/")) {
    const name = written.replaceAll("~1", "/").replaceAll("~0", "~");
    const step = place.type === "array" ? Number(name) : name;
    const next = findNodeAtLocation(place, [step]);
    if (next === undefined) return { from: place.offset, to: place.offset + 1 };
    place = next;
  }
  const { parent } = place;
  return spanOf(parent?.type === "property" ? parent : place);
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch (thrown) {
    // It recurses, and brackets may be nested deeper than the stack.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function spanOf({ offset, length }: Node): Span {
  return { from: offset, to: offset + length };
}
