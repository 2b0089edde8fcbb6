import { without, withValue } from "../pointer.ts";
import type { Edit } from "./fault.ts";

/** The arguments after a change. */
export function applyEdit(args: unknown, { remove, set }: Edit): Readonly<Record<string, unknown>> {
  const removed = remove.reduce(without, args);
  return set.reduce((at, [pointer, value]) => withValue(at, pointer, value), removed) as Readonly<
    Record<string, unknown>
  >;
}
