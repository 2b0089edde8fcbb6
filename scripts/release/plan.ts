import { type Manager, MANAGERS } from "./consumer.ts";
import { type Variant, variantsOf } from "./peers.ts";
import type { Quickstart } from "./quickstarts.ts";

/** One install, and the quickstarts that run in it. */
export interface Visit {
  readonly manager: Manager;
  readonly variant: Variant;
  readonly quickstarts: readonly Quickstart[];
  /** The versions of Node that their programs run on. */
  readonly nodes: readonly number[];
}

/**
 * What a rehearsal installs and runs. Quickstarts that install the same share an install, unless they have commands, which write files.
 *
 * By default each set of packages is installed twice: as its page says, on every Node, and once more by the other package manager with the
 * oldest peers, if it has any, on one Node. Managers and Nodes take turns, so that every pair of a manager, a version and a Node is somewhere.
 * The whole plan has every combination.
 */
export function planVisits(
  quickstarts: readonly Quickstart[],
  { nodes, isWhole }: { readonly nodes: readonly number[]; readonly isWhole: boolean },
): readonly Visit[] {
  const sets = new Map<string, readonly Quickstart[]>();
  for (const one of quickstarts) sets.set(keyOf(one), [...(sets.get(keyOf(one)) ?? []), one]);
  return [...sets.values()].flatMap((sharing, index) => {
    const [newest, ...older] = variantsOf(sharing[0]?.packages ?? [], isWhole);
    if (newest === undefined) return [];
    const visit = (manager: Manager, variant: Variant, on: readonly number[]): Visit => ({
      manager,
      variant,
      quickstarts: sharing,
      nodes: on,
    });
    if (isWhole) {
      return [newest, ...older].flatMap((variant) =>
        MANAGERS.map((manager) => visit(manager, variant, nodes)),
      );
    }
    const turned = index % 2 === 0 ? MANAGERS : MANAGERS.toReversed();
    const [first = "npm", second = "pnpm"] = turned;
    const one = nodes.slice(index % nodes.length).slice(0, 1);
    return [visit(first, newest, nodes), visit(second, older[0] ?? newest, one)];
  });
}

/** Equal for quickstarts that can share a folder. */
function keyOf({ page, number, packages, commands }: Quickstart): string {
  const own = commands.length > 0 ? [page, number] : [];
  return JSON.stringify([packages.toSorted(), ...own]);
}
