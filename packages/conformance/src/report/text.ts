import { type Check, LEVEL_NAMES, type Scenario } from "../shared/index.ts";
import { tallyOf } from "./tally.ts";

/** The lines about one scenario: one if all is well, and one more for each clause that was broken; what nobody could see is one line. */
export function scenarioLines({ id, title }: Scenario, checks: readonly Check[]): string {
  const failed = checks.filter(({ passed }) => !passed);
  const sign = failed.length === 0 ? "ok  " : "FAIL";
  const count = `${checks.length - failed.length} of ${checks.length}`;
  const [unseen, seen] = [failed.filter(isUnseen), failed.filter((check) => !isUnseen(check))];
  const lines = [
    ...seen.map((check) => `${check.level} ${clauseIn(check)}: ${check.message}`),
    ...(unseen.length > 0 ? [`Not judged: ${unseen.map(clauseIn).join(", ")}.`] : []),
  ];
  return [`${sign} ${id} (${title}): ${count}`, ...lines.map((line) => `       ${line}`)].join(
    "\n",
  );
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

/** Whether a clause fails because the run ended before anybody could see it. */
function isUnseen({ message }: Check): boolean {
  return message.startsWith("Not judged: ");
}

function clauseIn({ id, scenario }: Check): string {
  return id.slice(scenario.length + 1);
}
