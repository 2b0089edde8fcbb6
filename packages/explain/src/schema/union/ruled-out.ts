import { hasField, isRecord } from "../../shared/index.ts";
import type { Branch } from "./branch.ts";

/** The field that tells most branches of a union apart, and which of them take which of its values. */
interface Tag {
  readonly name: string;
  readonly branches: ReadonlyMap<unknown, ReadonlySet<Branch>>;
}

const tags = new WeakMap<readonly Branch[], Tag | undefined>();
const NONE: ReadonlySet<Branch> = new Set();

/** Returns the branches of a union that the value's tag does not rule out; a list of many variants is long. */
export function withoutRuledOut(branches: readonly Branch[], value: unknown): readonly Branch[] {
  if (branches.length < 3 || !isRecord(value)) return branches;
  if (!tags.has(branches)) tags.set(branches, tellingTag(branches));
  const tag = tags.get(branches);
  if (tag === undefined || !hasField(value, tag.name)) return branches;
  const taking = tag.branches.get(value[tag.name]) ?? NONE;
  return branches.filter((branch) => taking.has(branch) || !isTagged(branch, tag.name));
}

function tellingTag(branches: readonly Branch[]): Tag | undefined {
  const names = new Set(branches.flatMap(({ fixed }) => [...fixed.keys()]));
  const counted = [...names].map((name) => ({
    name,
    tagged: branches.filter((branch) => isTagged(branch, name)),
  }));
  const [best] = counted.toSorted((a, b) => b.tagged.length - a.tagged.length);
  if (best === undefined || best.tagged.length < 2) return undefined;
  const { name, tagged } = best;
  const taking = new Map<unknown, Set<Branch>>();
  for (const branch of tagged)
    for (const value of branch.fixed.get(name) ?? [])
      taking.set(value, (taking.get(value) ?? new Set()).add(branch));
  return { name, branches: taking };
}

/** Whether a branch takes only certain values of a field, and these are equal only to themselves. */
function isTagged({ fixed }: Branch, name: string): boolean {
  return fixed.get(name)?.every((value) => typeof value !== "object" || value === null) === true;
}
