import type { Played } from "./scenario.ts";
import { summarize } from "./summary.ts";

/** The verdicts as JSON: one entry for each scenario, then the counts. */
export function renderJson(scenes: readonly Played[]): string {
  const scenarios = scenes.map((played) => {
    const { refused, ranWithout, tokens } = summarize([played]);
    return {
      name: played.scenario.name,
      passed: played.failures.length === 0,
      failures: played.failures.map(({ claim, found }) =>
        found === undefined ? claim : `${claim}: ${found}`,
      ),
      assertions: played.assertions.map(({ claim }) => claim),
      refused,
      ranWithout,
      tokens,
    };
  });
  const { passed, failed } = summarize(scenes);
  return JSON.stringify({ scenarios, passed, failed }, undefined, 2);
}
