import type { Random } from "../random.ts";
import type { Edit, Fault } from "./fault.ts";
import type { Site } from "./sites.ts";

/** A way to spoil one place of a valid call: the change, and the fault that it makes. */
export interface Slip {
  readonly edit: Edit;
  readonly fault: Fault;
}

/** Makes a slip at a place; undefined where it cannot happen there. */
export type MakeSlip = (site: Site, random: Random) => Slip | undefined;

/** What every fault at a place has in common. */
export function faultAt(
  { pointer, schema, optional, siblings, inUnion, value }: Site,
  own: Pick<Fault, "kind" | "fix"> & Partial<Fault>,
): Fault {
  const undo = { remove: [], set: [[pointer, value]] as const };
  return { pointer, also: [], schema, optional, siblings, inUnion, undo, ...own };
}
