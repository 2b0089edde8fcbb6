import { isJson, pointerKeys } from "@toolcontract/core/adapter";
import { findNodeAtLocation } from "jsonc-parser";
import { type Span, spanOf, treeOf } from "./tree.ts";

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
  for (const name of pointerKeys(pointer)) {
    const step = place.type === "array" ? Number(name) : name;
    const next = findNodeAtLocation(place, [step]);
    if (next === undefined) return { from: place.offset, to: place.offset + 1 };
    place = next;
  }
  const { parent } = place;
  return spanOf(parent?.type === "property" ? parent : place);
}

/**
 * The same for arguments inside a larger text: an object, or a string literal that holds them as JSON.
 *
 * @param part - Where the text holds them.
 */
export function placeWithin(text: string, part: Span, pointer: string): Span | undefined {
  const written = text.slice(part.from, part.to);
  const held = written.startsWith('"') ? readString(written) : undefined;
  const place = placeOf(held?.value ?? written, pointer);
  const at = (offset: number): number => part.from + (held?.offsets[offset] ?? offset);
  return place && { from: at(place.from), to: at(place.to) };
}

/** What is one UTF-16 code unit of the value: an escape, or the unit itself. */
const UNIT = /\\u[0-9a-f]{4}|\\.|[^]/gi;

/** Reads a string literal of JSON, with the offset of each of its units; undefined for anything else. */
function readString(
  written: string,
): { readonly value: string; readonly offsets: readonly number[] } | undefined {
  if (!isJson(written)) return undefined;
  const value = JSON.parse(written) as string;
  const offsets = [...written.slice(1, -1).matchAll(UNIT)].map(({ index }) => index + 1);
  return { value, offsets: [...offsets, written.length - 1] };
}
