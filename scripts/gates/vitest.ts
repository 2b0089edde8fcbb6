import { readFileSync } from "node:fs";
import { WHY_NO_REDIS } from "@toolcontract/redis-server";
import { FAILURES, firstOf } from "./failures.ts";
import { runCommand, type Tally } from "./run.ts";

const REPORT = ".artifacts/vitest.json";

interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly Run[];
}

/** One run of a test: a test that is written once runs for every row, version and style. */
interface Run {
  readonly title: string;
  readonly status: string;
  readonly location?: { readonly line: number; readonly column: number };
  readonly meta: { readonly conformance?: { readonly case: string; readonly host: string } };
}

/** Runs all tests. A test that is written once counts once, and fails if one of its runs fails. */
export async function runVitest(): Promise<Tally> {
  const { ok } = await runCommand(
    `vitest run --reporter=default --reporter=json --outputFile.json=${REPORT} --reporter=./scripts/gates/failures.ts`,
  );
  const report = read(REPORT) as Report | undefined;
  const failures = firstOf((read(FAILURES) ?? []) as readonly string[]);
  if (report === undefined) return { passed: 0, failed: 1, failures };
  const { tests, cases, hosts, runs } = countWritten(report.testResults);
  const all = [...tests.values(), ...cases.values()];
  const failed = all.filter((hasFailed) => hasFailed).length;
  const numbers = [tests.size, cases.size, hosts.size, runs].map((count) =>
    count.toLocaleString("en"),
  );
  return {
    passed: all.length - failed,
    failed: ok ? failed : Math.max(failed, 1),
    failures,
    detail: `${numbers[0]} tests, ${numbers[1]} conformance cases in ${numbers[2]} hosts; ${numbers[3]} runs${WHY_NO_REDIS === undefined ? "" : `; ${WHY_NO_REDIS}`}`,
  };
}

/** The written tests that were not skipped, each with whether one of its runs failed. */
function countWritten(files: readonly FileResult[]): {
  readonly tests: ReadonlyMap<string, boolean>;
  readonly cases: ReadonlyMap<string, boolean>;
  readonly hosts: ReadonlySet<string>;
  readonly runs: number;
} {
  const tests = new Map<string, boolean>();
  const cases = new Map<string, boolean>();
  const hosts = new Set<string>();
  let runs = 0;
  for (const { name, status, assertionResults } of files) {
    // A file that cannot be loaded reports no tests.
    if (status === "failed" && assertionResults.length === 0) tests.set(name, true);
    for (const { title, status: outcome, location, meta } of assertionResults) {
      if (outcome !== "passed" && outcome !== "failed") continue;
      runs += 1;
      const { conformance } = meta;
      const place = location === undefined ? title : `${location.line}:${location.column}`;
      const [written, key] =
        conformance === undefined ? [tests, `${name}:${place}`] : [cases, conformance.case];
      written.set(key, written.get(key) === true || outcome === "failed");
      if (conformance !== undefined) hosts.add(conformance.host);
    }
  }
  return { tests, cases, hosts, runs };
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
