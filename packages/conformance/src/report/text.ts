import { type Check, LEVEL_NAMES, type Scenario } from "../shared/index.ts";
import { tallyOf } from "./tally.ts";

/** The lines about one scenario: one if all is well, and one more for each clause that was broken. */
export function scenarioLines({ id, title }: Scenario, checks: readonly Check[]): string {
  const failed = checks.filter(({ passed }) => !passed);
  const sign = failed.length === 0 ? "ok  " : "FAIL";
  const count = `${checks.length - failed.length} of ${checks.length}`;
  const lines = failed.map((check) => `       ${check.level} ${clauseIn(check)}: ${check.message}`);
  return [`${sign} ${id} (${title}): ${count}`, ...lines].join("\n");
}

/** The last lines: how many checks of each level passed. */
export function summaryLines(checks: readonly Check[]): string {
  const tallies = tallyOf(checks);
  const lines = tallies.map(
    ({ level, passed, total }) => `${level} ${LEVEL_NAMES[level]}: ${passed} of ${total}`,
  );
  const passed = checks.filter((check) => check.passed).length;
  return [...lines, `${passed} passed, ${checks.length - passed} failed`].join("\n");
}

function clauseIn({ id, scenario }: Check): string {
  return id.slice(scenario.length + 1);
}
