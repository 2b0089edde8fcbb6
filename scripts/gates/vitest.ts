import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { WHY_NO_PROMETHEUS } from "@toolcontract/dashboard";
import { WHY_NO_POSTGRES } from "@toolcontract/postgres-server";
import { WHY_NO_REDIS } from "@toolcontract/redis-server";
import type { Change } from "./change.ts";
import { FAILURES_FILE, firstOf } from "./failures.ts";
import { roomsOf } from "./rooms.ts";
import { runCommand, type Tally } from "./run.ts";

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

/** The written tests that were not skipped, each with whether one of its runs failed. */
interface Counted {
  readonly tests: ReadonlyMap<string, boolean>;
  readonly cases: ReadonlyMap<string, boolean>;
  readonly hosts: ReadonlySet<string>;
  readonly runs: number;
  /** The files of which nothing ran, as what their tests need is not on this machine. */
  readonly skipped: readonly string[];
}

// Each group has a worker of its own, beside the others: two workers of one project would load its libraries twice. The first
// two often wait for processes, and all three take about as long.
const WAITING = [
  ["mcp", "ai-sdk"],
  ["small", "isolated"],
];
const OTHERS = ["site", ...WAITING.flat()].map((name) => `!${name}`);
const GROUPS: readonly (readonly string[])[] = [...WAITING, OTHERS];
const WORKERS = Math.ceil(availableParallelism() / 4);

/** Runs all tests but those of the site, or one part of them, such as `"1/3"`. */
export async function runVitest(shard?: string): Promise<Tally> {
  const flags = shard === undefined ? [] : [`--shard=${shard}`];
  const runs = GROUPS.map((projects) =>
    runProjects(projects, [`--maxWorkers=${WORKERS}`, ...flags]),
  );
  return tallyOf(await Promise.all(runs), describeAll);
}

/**
 * Of those tests, runs the ones that load what is not on the main branch yet, and lie in the same rooms: nearly every test loads
 * a file of core, and to find out which takes a quarter of a minute.
 */
export async function runChangedTests({ since, paths }: Change): Promise<Tally> {
  const rooms = roomsOf(paths);
  const run = await runProjects(["!site"], [...rooms, `--changed=${since}`, "--passWithNoTests"]);
  if (run.ok && run.results === undefined)
    return { passed: 1, failed: 0, detail: "nothing has changed" };
  return tallyOf([run], describeAll);
}

/** Runs the tests that open the built site in a browser. Other tests run beside them. */
export async function runSiteTests(): Promise<Tally> {
  const run = await runProjects(["site"], [], { keepsOutput: true });
  return tallyOf([run], ({ tests, runs }) => `${count(tests.size)} tests; ${count(runs)} runs`);
}

function describeAll({ tests, cases, hosts, runs, skipped }: Counted): string {
  const missing = skipped.length === 0 ? "" : `; skipped whole: ${skipped.join(", ")}`;
  const servers = [WHY_NO_REDIS, WHY_NO_POSTGRES, WHY_NO_PROMETHEUS].filter(
    (why) => why !== undefined,
  );
  return `${count(tests.size)} tests, ${count(cases.size)} conformance cases in ${hosts.size} hosts; ${count(runs)} runs${[missing, ...servers].join("; ")}`;
}

/** How a run of Vitest ended. */
interface VitestRun {
  readonly ok: boolean;
  readonly output: string;
  /** Missing if it ended before it wrote them, or had no tests. */
  readonly results: readonly FileResult[] | undefined;
  readonly failures: readonly string[];
}

async function runProjects(
  projects: readonly string[],
  flags: readonly string[],
  { keepsOutput = false } = {},
): Promise<VitestRun> {
  const file = `.artifacts/vitest-${projects.join("-").replaceAll("!", "not-")}.json`;
  const failuresFile = file.replace(".json", "-failures.json");
  const command = [
    "vitest run",
    ...projects.map((name) => `--project=${name}`),
    ...flags,
    `--reporter=default --reporter=json --outputFile.json=${file} --reporter=./scripts/gates/failures.ts`,
  ];
  const { ok, output } = await runCommand(command.join(" "), {
    keepsOutput,
    env: { [FAILURES_FILE]: failuresFile },
  });
  const report = read(file) as Report | undefined;
  const ended = report === undefined ? [`No report of ${projects.join(", ")}`] : [];
  const failures = (read(failuresFile) ?? ended) as readonly string[];
  return { ok, output, results: report?.testResults, failures };
}

/** A test that is written once counts once, and fails if one of its runs fails. */
function tallyOf(runs: readonly VitestRun[], describe: (counted: Counted) => string): Tally {
  const counted = countWritten(runs.flatMap(({ results }) => results ?? []));
  const all = [...counted.tests.values(), ...counted.cases.values()];
  const failed = all.filter((hasFailed) => hasFailed).length;
  const isWhole = runs.every(({ ok, results }) => ok && results !== undefined);
  return {
    passed: all.length - failed,
    failed: isWhole ? failed : Math.max(failed, 1),
    failures: firstOf(runs.flatMap(({ failures }) => failures)),
    detail: describe(counted),
    output: runs.map(({ output }) => output).join(""),
  };
}

function count(number: number): string {
  return number.toLocaleString("en");
}

function countWritten(files: readonly FileResult[]): Counted {
  const tests = new Map<string, boolean>();
  const cases = new Map<string, boolean>();
  const hosts = new Set<string>();
  const skipped: string[] = [];
  let runs = 0;
  for (const { name, status, assertionResults } of files) {
    // A file that cannot be loaded reports no tests.
    if (status === "failed" && assertionResults.length === 0) tests.set(name, true);
    const ran = assertionResults.filter((run) => ["passed", "failed"].includes(run.status));
    if (assertionResults.length > 0 && ran.length === 0) skipped.push(relative("", name));
    for (const { title, status: outcome, location, meta } of ran) {
      runs += 1;
      const { conformance } = meta;
      const place = location === undefined ? title : `${location.line}:${location.column}`;
      const [written, key] =
        conformance === undefined ? [tests, `${name}:${place}`] : [cases, conformance.case];
      written.set(key, written.get(key) === true || outcome === "failed");
      if (conformance !== undefined) hosts.add(conformance.host);
    }
  }
  return { tests, cases, hosts, runs, skipped };
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
