import { readFile, writeFile } from "node:fs/promises";
import {
  badgeSvg,
  compareWithExpected,
  junitXml,
  readExpectedFailures,
  scenarioLines,
  summaryLines,
} from "../report/index.ts";
import { type ConformanceReport, runConformance } from "../run/index.ts";
import { SCENARIOS } from "../scenarios/index.ts";
import type { Level, Scenario } from "../shared/index.ts";
import { HELP, readCommandLine, type RunCommand, UsageError } from "./command-line.ts";

/** The exit codes. */
const EXIT = { passed: 0, failed: 1, usage: 2 } as const;

/** Where a command writes, and what ends it. */
export interface CommandContext {
  readonly version: string;
  /** Writes a line to stdout. */
  readonly print: (line: string) => void;
  /** Writes a line to stderr. */
  readonly warn: (line: string) => void;
  /** Ends the run, and the programs that it started. */
  readonly signal?: AbortSignal;
}

/** Runs a command line; returns its exit code. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    const line = readCommandLine(args);
    if (line.command === "run") return await runKit(line, context);
    if (line.command === "list")
      for (const { id, title } of SCENARIOS) context.print(`${id}: ${title}`);
    else context.print(line.command === "help" ? HELP : context.version);
    return EXIT.passed;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.warn(`toolcontract-conformance: ${error.message}`);
    return EXIT.usage;
  }
}

async function runKit(
  command: RunCommand,
  { print, warn, signal }: CommandContext,
): Promise<number> {
  const { api, stream, json, level, junit, badge, timeout, jobs } = command;
  const scenarios = chosen(command.scenarios, level);
  const expected = await expectedIn(command.expectedFailures);
  const report = await runConformance({
    program: command.program,
    api,
    stream,
    scenarios,
    ...(level !== undefined && { level }),
    ...(timeout !== undefined && { timeLimit: timeout * 1_000 }),
    ...(jobs !== undefined && { concurrency: Math.ceil(jobs) }),
    ...(signal && { signal }),
  });
  const { checks } = report;
  if (json) print(JSON.stringify({ checks }, null, 2));
  else printReport(scenarios, report, print);
  if (junit !== undefined) await writeResult(junit, junitXml(checks));
  if (badge !== undefined) await writeResult(badge, badgeSvg(checks));
  if (!report.hasStreamed) {
    warn("No request asked for a stream, so plain answers were judged: heed KIT_STREAM.");
  }
  if (report.unplayable.length > 0) {
    const how = stream ? api : `${api} without --stream`;
    warn(`${how} cannot carry these, so they were not played: ${report.unplayable.join(", ")}`);
  }
  const played = new Set(scenarios.map(({ id }) => id));
  const isAll = command.scenarios.length === 0;
  const { unexpected, stale } = compareWithExpected(
    checks,
    expected,
    (id) => isAll || played.has(id) || !SCENARIOS.some((one) => one.id === id),
  );
  for (const id of stale) warn(`${id} is expected to fail and does not: take it off the list.`);
  const isWell = unexpected.length === 0 && stale.length === 0 && checks.length > 0;
  return isWell && !signal?.aborted ? EXIT.passed : EXIT.failed;
}

function chosen(ids: readonly string[], level?: Level): readonly Scenario[] {
  if (ids.length === 0) return SCENARIOS;
  const unknown = ids.find((id) => !SCENARIOS.some((one) => one.id === id));
  if (unknown !== undefined) {
    throw new UsageError(`there is no scenario '${unknown}'; \`list\` prints all of them.`);
  }
  const own = SCENARIOS.filter(({ id }) => ids.includes(id));
  const last = own.find(({ answer }) => answer !== undefined);
  if (last && level !== "L5") {
    throw new UsageError(`'${last.id}' is about the final answer: pass --level L5 with it.`);
  }
  return own;
}

async function expectedIn(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    throw new UsageError(`--expected-failures: ${file} cannot be read.`);
  }
  const read = readExpectedFailures(text);
  if (typeof read === "string") throw new UsageError(`--expected-failures: ${file}: ${read}.`);
  return read;
}

async function writeResult(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch {
    throw new UsageError(`${file} cannot be written.`);
  }
}

function printReport(
  scenarios: readonly Scenario[],
  { checks }: ConformanceReport,
  print: (line: string) => void,
): void {
  for (const scenario of scenarios) {
    const own = checks.filter((check) => check.scenario === scenario.id);
    if (own.length > 0) print(scenarioLines(scenario, own));
  }
  print(summaryLines(checks));
}
