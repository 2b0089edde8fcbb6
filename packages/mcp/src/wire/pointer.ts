import { isRecord } from "@toolcontract/mcp-client/wire";

/** The segments of a JSON Pointer. */
export function keysOfPointer(pointer: string): readonly string[] {
  const [, ...segments] = pointer.split("/");
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** An own member of an object or an item of an array; undefined if there is none. */
export function memberOf(parent: unknown, segment: string): unknown {
  if (Array.isArray(parent)) return /^\d+$/.test(segment) ? parent[Number(segment)] : undefined;
  return isRecord(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
}
