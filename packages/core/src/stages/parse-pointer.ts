import type { PathSegment } from "../fault.ts";

/** The segments of a JSON Pointer; digits are taken for array indexes, and a missing slash is forgiven. */
export function parsePointer(pointer: string): readonly PathSegment[] {
  if (pointer === "") return [];
  const text = pointer.startsWith("/") ? pointer.slice(1) : pointer;
  return text.split("/").map((segment) => {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key;
  });
}
