import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** How a check of the suite ended. */
export type Status = "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";

/** A check of one run of the suite. */
export interface Check {
  /** Scenario, id and name of the check. */
  readonly key: string;
  readonly status: Status;
}

interface WrittenCheck {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
}

// Around the scenario in a folder's name; only runs of servers have the first.
const MODE = /^server-/;
const TIME = /-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** Reads the checks that the suite has written: one folder for each scenario. */
export async function readChecks(folder: string): Promise<readonly Check[]> {
  const names = await readdir(folder);
  const perScenario = names.map(async (name) => {
    const scenario = name.replace(MODE, "").replace(TIME, "");
    const file = join(folder, name, "checks.json");
    if (!existsSync(file)) return [stopped(scenario)];
    const written = JSON.parse(await readFile(file, "utf8")) as readonly WrittenCheck[];
    return written.map((check) => ({
      key: `${scenario} / ${check.id} / ${check.name}`,
      status: check.status,
    }));
  });
  return (await Promise.all(perScenario)).flat();
}

/** A scenario that throws leaves no checks. */
function stopped(scenario: string): Check {
  return { key: `${scenario} / the scenario stopped`, status: "FAILURE" };
}
