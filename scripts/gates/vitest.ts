import { readFileSync } from "node:fs";
import { runCommand, type Tally } from "./run.ts";

const REPORT = ".artifacts/vitest.json";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { status: string; assertionResults: readonly unknown[] }[];
}

/** Runs all tests; each counts, and so does a file that could not be loaded. */
export async function runVitest(): Promise<Tally> {
  const { ok } = await runCommand(
    `vitest run --reporter=default --reporter=json --outputFile.json=${REPORT}`,
  );
  const report = readReport();
  if (report === undefined) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: ok ? failed : Math.max(failed, 1) };
}

function readReport(): Report | undefined {
  try {
    return JSON.parse(readFileSync(REPORT, "utf8")) as Report;
  } catch {
    return undefined;
  }
}
