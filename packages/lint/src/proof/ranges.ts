import type { SchemaNode } from "../shared/index.ts";

/** The values between two limits. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** A limit, and the keyword that sets it. */
interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
}

/** The numbers that all schemas allow; `least` above `most` if there is none. */
export function numbersOf(nodes: readonly SchemaNode[]): Range {
  const lower = nodes.flatMap((node) => boundsIn(node, "minimum", "exclusiveMinimum"));
  const upper = nodes.flatMap((node) => boundsIn(node, "maximum", "exclusiveMaximum"));
  const least = Math.max(-Infinity, ...lower.map(({ value }) => value));
  const most = Math.min(Infinity, ...upper.map(({ value }) => value));
  const isOpen = (limits: readonly Bound[], at: number): boolean =>
    limits.some(({ value, isExclusive }) => isExclusive && value === at);
  // Only where both meet, an open end leaves nothing.
  const isEmpty = least === most && (isOpen(lower, least) || isOpen(upper, most));
  return isEmpty ? { least: Infinity, most: -Infinity } : { least, most };
}

function boundsIn(node: SchemaNode, keyword: string, exclusive: string): readonly Bound[] {
  const limits: Bound[] = [];
  const { [keyword]: limit, [exclusive]: open } = node;
  // In draft-04 the exclusive one is a boolean.
  if (typeof limit === "number") limits.push({ value: limit, isExclusive: open === true });
  if (typeof open === "number") limits.push({ value: open, isExclusive: true });
  return limits;
}

/** The lengths or counts that all schemas allow. */
export function sizesOf(
  nodes: readonly SchemaNode[],
  what: "Items" | "Length" | "Properties",
): Range {
  const numbers = (keyword: string): readonly number[] =>
    nodes.flatMap(({ [keyword]: limit }) => (typeof limit === "number" ? [limit] : []));
  return {
    least: Math.max(0, ...numbers(`min${what}`)),
    most: Math.min(Infinity, ...numbers(`max${what}`)),
  };
}
