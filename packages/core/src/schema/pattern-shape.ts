import type { PatternNode } from "./pattern-syntax.ts";

/** Tells whether a repetition is small enough to be written out as copies of what it repeats. */
export function isUnrolled(size: number, max: number, unroll: number): boolean {
  return max === 1 || size * max <= unroll;
}

/** The number of places in an expression, never 0, once its small repetitions are written out. */
export function sizeOf(node: PatternNode, unroll: number): number {
  switch (node.kind) {
    case "assertion":
    case "character":
      return 1;
    case "sequence":
    case "choice": {
      const size = node.nodes.reduce((sum, part) => sum + sizeOf(part, unroll), 0);
      return Math.max(1, size);
    }
    case "lookaround":
      return sizeOf(node.node, unroll);
    case "repeat": {
      const size = sizeOf(node.node, unroll);
      return isUnrolled(size, node.max, unroll) ? Math.max(1, size * node.max) : size;
    }
  }
}

/** The most assertions that an expression may try without reading a character. */
export function idleOf(node: PatternNode): number {
  switch (node.kind) {
    case "assertion":
      return 1;
    case "character":
      return 0;
    case "sequence":
    case "choice":
      return node.nodes.length === 0
        ? 1
        : node.nodes.reduce((idle, part) => idle + idleOf(part), 0);
    case "lookaround":
      return 1 + idleOf(node.node);
    case "repeat":
      return idleOf(node.node) * Math.max(1, node.min);
  }
}

/** Tells whether an expression can match at the start of a text only. */
export function isAnchored(node: PatternNode): boolean {
  if (node.kind === "assertion") return node.start;
  if (node.kind === "sequence") return node.nodes[0] !== undefined && isAnchored(node.nodes[0]);
  if (node.kind === "choice") return node.nodes.every(isAnchored);
  return node.kind === "repeat" && node.min > 0 && isAnchored(node.node);
}
