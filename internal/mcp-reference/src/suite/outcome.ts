import type { Check, Status } from "./check.ts";

// The suite repeats ids, so a check counts as its worst occurrence.
const BY_WEIGHT: readonly Status[] = ["INFO", "SKIPPED", "SUCCESS", "WARNING", "FAILURE"];

/** The outcome of each check, by key. */
function worstStatuses(checks: readonly Check[]): ReadonlyMap<string, Status> {
  const worst = new Map<string, Status>();
  for (const { key, status } of checks) {
    const known = worst.get(key) ?? "INFO";
    worst.set(key, BY_WEIGHT.indexOf(status) >= BY_WEIGHT.indexOf(known) ? status : known);
  }
  return worst;
}

/** The checks that pass directly but not through a route, and those that fail only through it. */
export function lostChecks(direct: readonly Check[], through: readonly Check[]): readonly string[] {
  const before = worstStatuses(direct);
  const after = worstStatuses(through);
  const gone = [...before].filter(
    ([key, status]) => status === "SUCCESS" && after.get(key) !== status,
  );
  const broken = [...after].filter(([key, status]) => isBad(status) && !isBad(before.get(key)));
  return [...new Set([...gone, ...broken].map(([key]) => key))];
}

/** The checks that did not pass. */
export function badChecks(checks: readonly Check[]): readonly string[] {
  return [...worstStatuses(checks)].filter(([, status]) => isBad(status)).map(([key]) => key);
}

/** How many checks passed and how many failed, as the suite counts them. */
export function tally(checks: readonly Check[]): string {
  const count = (wanted: Status): number => checks.filter(({ status }) => status === wanted).length;
  return `${count("SUCCESS")}/${count("FAILURE")}`;
}

function isBad(status: Status | undefined): boolean {
  return status === "FAILURE" || status === "WARNING";
}
