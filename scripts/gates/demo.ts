import { runCommand, type Tally } from "./run.ts";

interface Scenario {
  readonly name: string;
  readonly passed: boolean;
}

/** Runs the demo; each scenario counts as one. */
export async function runDemo(): Promise<Tally> {
  const command = "node apps/demo/src/main.ts --json";
  const { ok, stdout, output } = await runCommand(command, { keepsOutput: true });
  const scenarios = readScenarios(stdout);
  const passed = scenarios.filter((scenario) => scenario.passed).length;
  const failed = scenarios.length - passed;
  const isWhole = ok && scenarios.length > 0;
  const lines = scenarios.map((scenario) => `${scenario.passed ? "✓" : "✗"} ${scenario.name}`);
  return {
    passed,
    failed: isWhole ? failed : Math.max(failed, 1),
    output: [...lines, ...(isWhole ? [] : [output])].join("\n"),
  };
}

function readScenarios(stdout: string): readonly Scenario[] {
  try {
    return (JSON.parse(stdout) as { scenarios: readonly Scenario[] }).scenarios;
  } catch {
    return [];
  }
}
