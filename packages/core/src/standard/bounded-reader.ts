import { type JsonSchema, isRecord } from "../shared/index.ts";

const MAX_DEPTH = 24;
const MAX_NODES = 2_000;
const MAX_REPEATS = 2;

/** Reads a schema inside of a schema. */
export type ReadChild = (child: unknown) => JsonSchema;

/** Reads one schema object of a library as JSON Schema. */
export type ReadNode = (node: Readonly<Record<string, unknown>>, read: ReadChild) => JsonSchema;

/** Reads a library's schema as JSON Schema; what cannot be read, or lies too deep, lets everything pass. */
export function readBounded(root: unknown, readNode: ReadNode): JsonSchema {
  let nodes = 0;

  function readAt(path: readonly unknown[]): ReadChild {
    return (child) => {
      nodes += 1;
      const repeats = path.filter((ancestor) => ancestor === child).length;
      if (
        !isRecord(child) ||
        repeats >= MAX_REPEATS ||
        path.length > MAX_DEPTH ||
        nodes > MAX_NODES
      )
        return {};
      try {
        return readNode(child, readAt([...path, child]));
      } catch {
        return {};
      }
    };
  }

  return readAt([])(root);
}
