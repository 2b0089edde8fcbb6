import { hashArguments, hashWhole } from "../attempts/index.ts";
import type { ToolCall } from "../shared/index.ts";

/**
 * Names a call among those of its message: by its id, name and arguments, and by its position among calls in which all of these are
 * equal. An id alone is not enough, since some providers repeat it, or send none.
 */
export function elementOf({ id, name, arguments: args }: ToolCall, position = 0): string {
  return JSON.stringify([id, name, hashArguments(args), position]);
}

/**
 * Names all calls of a message that are equal: those of a tool that runs once for them, whatever their ids are. Undefined if the arguments
 * are too long to be sure.
 */
export function sameElementOf({ name, arguments: args }: ToolCall): string | undefined {
  const hash = hashWhole(args);
  return hash && JSON.stringify([name, hash]);
}

/** Finds the position of each call of a message among its equal ones, from 0. */
export function positionsIn(calls: readonly ToolCall[]): (index: number) => number {
  if (new Set(calls.map(({ id }) => id)).size === calls.length) return () => 0;
  const seen = new Map<string, number>();
  const positions = calls.map((call) => {
    const element = elementOf(call);
    const position = seen.get(element) ?? 0;
    seen.set(element, position + 1);
    return position;
  });
  return (index) => positions[index] ?? 0;
}
