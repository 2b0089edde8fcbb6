import { assembleReleasePlan } from "@changesets/assemble-release-plan";
import { readConfig } from "@changesets/config";
import { readChangesets } from "@changesets/read";
import { getPackages } from "@manypkg/get-packages";
import type { Tally } from "./run.ts";

const CONFIG = ".changeset/config.json";

/** Assembles the next release from the changesets. */
export async function runReleasePlan(): Promise<Tally> {
  try {
    const { faults, ...rest } = await planRelease(process.cwd());
    const failed = faults.length === 0 ? 0 : 1;
    return { passed: 1 - failed, failed, failures: faults, ...rest };
  } catch (thrown) {
    return { passed: 0, failed: 1, failures: [String(thrown)] };
  }
}

/** The next release, and what is wrong with it. */
interface Planned {
  readonly faults: readonly string[];
  readonly detail?: string;
}

/**
 * Plans the release of the repository in a folder, as `changeset version` does.
 *
 * @remarks `changeset status` compares with the main branch as well, which is not in every checkout.
 * @throws Error if a changeset cannot be read.
 */
export async function planRelease(root: string): Promise<Planned> {
  const packages = await getPackages(root);
  const { config, errors = [], warnings } = await readConfig(root, packages);
  const changesets = await readChangesets(root);
  if (config === undefined) return { faults: [...warnings, ...errors] };
  const published = packages.packages
    .filter(({ packageJson }) => packageJson.private !== true)
    .map(({ packageJson }) => packageJson.name);
  const [together = []] = config.fixed;
  const faults = [
    ...warnings,
    ...published
      .filter((name) => !together.includes(name))
      .map((name) => `${name} is published: name it in "fixed" of ${CONFIG}, with all others`),
    ...together
      .filter((name) => !published.includes(name))
      .map((name) => `${name} is private: "fixed" of ${CONFIG} must not match it`),
    ...changesets.flatMap(({ id, releases }) =>
      releases
        .filter(({ name }) => !published.includes(name))
        .map(({ name }) => `.changeset/${id}.md names ${name}, which is not published`),
    ),
  ];
  if (faults.length > 0) return { faults };
  const { releases } = assembleReleasePlan(changesets, packages, config, undefined);
  const released = releases.filter(({ type }) => type !== "none");
  const [one] = released;
  if (one === undefined) return { faults, detail: "nothing to release" };
  return {
    faults,
    detail: `${changesets.length} changesets make ${one.newVersion} of ${released.length} packages`,
  };
}
