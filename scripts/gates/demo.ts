import { runCommand, type Tally } from "./run.ts";

interface Scenario {
  readonly name: string;
  readonly passed: boolean;
}

/** Runs the demo; each scenario counts as one. */
export async function runDemo(): Promise<Tally> {
  const { ok, stdout } = await runCommand("node apps/demo/src/main.ts --json", { capture: true });
  const scenarios = readScenarios(stdout);
  for (const { name, passed } of scenarios) console.log(`${passed ? "✓" : "✗"} ${name}`);
  const passed = scenarios.filter((scenario) => scenario.passed).length;
  const failed = scenarios.length - passed;
  return { passed, failed: ok && scenarios.length > 0 ? failed : Math.max(failed, 1) };
}

function readScenarios(stdout: string): readonly Scenario[] {
  try {
    return (JSON.parse(stdout) as { scenarios: readonly Scenario[] }).scenarios;
  } catch {
    console.error(stdout);
    return [];
  }
}
