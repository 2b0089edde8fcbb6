import { pointerOf } from "../pointer.ts";

const SEGMENT = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g;

/** A path such as `items[0].name` or `items.0.name` as a JSON Pointer. */
export function pointerOfDotted(path: string): string {
  const keys = [...path.matchAll(SEGMENT)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? "",
  );
  return pointerOf(keys);
}
