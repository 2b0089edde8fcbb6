import type { Table } from "../benchmark.ts";
import type { Origin } from "../origin.ts";
import { peerTable, type RealResults } from "../real/peer-table.ts";
import { type RecoveryResults, recoveryTargets } from "../recovery/report.ts";
import { messagePlots, type Plot, shownPlots } from "./plots.ts";
import { type BenchmarkResult, type Machine, type Results, resultsOf } from "./results.ts";
import { speedTable } from "./tables.ts";

/** The tables that stand for the others on the page: those of a typical tool. */
const SHOWN = ["happy-path", "rejected-call", "guardrails"];

/** Writes the page; a part without results is left out. */
export function benchmarksPage(results: Results): string {
  const { recovery, real } = results;
  const parts = [
    "# Benchmarks",
    "How our messages compare with those of the packages that people use instead: what they say, and what they cost. " +
      "This page is made by `npx -y pnpm@12 bench:report` from the results in [benchmarks/](benchmarks), which also writes every " +
      "table and plot into `.artifacts/benchmarks`; how everything is measured is in [bench/README.md](../bench/README.md).",
    "No figure here comes from a model. What is corrected is corrected by a program that reads each message literally; " +
      "`npx -y pnpm@12 bench:live` asks [real models](../bench/README.md#real-models) of your own. " +
      "What models get wrong in the first place is counted in [mistakes](mistakes.md).",
    ...(recovery === undefined ? [] : recoveryPart(recovery)),
    ...(real === undefined ? [] : realPart(real)),
    ...speedPart(results),
  ];
  return `${parts.join("\n\n")}\n`;
}

function recoveryPart(recovery: RecoveryResults): readonly string[] {
  return [
    "## What the message carries",
    command("bench:recovery"),
    ...messagePlots(recovery).map(image),
    "[Compared](compared.md#what-the-model-reads) has the table by system.",
    recoveryTargets(recovery.results),
  ];
}

function realPart(results: RealResults): readonly string[] {
  const { origin, answered, invalid, malformed } = results;
  return [
    "## Calls that models made",
    command("bench:real"),
    "The calls were made by models, 51 configurations of them in public results of benchmarks; the corrections were not. The same " +
      "program as above reads each answer literally and calls again. No model has read these messages for this repository.",
    `${invalid} distinct calls break their schema, and ${answered} of them every system answers: the shares and tokens are of these. ` +
      `Valid is what ajv accepts, whoever answered. ${malformed} more distinct calls are not JSON; as meant is what a strict reader of ` +
      "JSON, Python or JavaScript reads in them. A field to rename or move counts as located only at its new place.",
    peerTable(results),
    "Read it with its limits: most models are of 2024, most calls are the first of a conversation, and some schemas are made for a " +
      "benchmark. One Hermes model wrote most of the malformed calls, as Python. AI SDK runs calls whose missing fields zod fills " +
      "with defaults that the schema itself refuses. In a schema that no value can pass, no listed value has the type declared beside " +
      "the list: there both run what is listed, which is not an invalid call. ajv's host parses the text itself. The calls are half of " +
      "those collected, by tool, and are not part of this repository.",
    `Commit ${origin.commit.slice(0, 12)}, Node ${origin.node}.`,
  ];
}

function speedPart(results: Results): readonly string[] {
  const all = resultsOf(results);
  if (all.length === 0) return [];
  return [
    "## What it costs",
    command("bench:speed"),
    "Times are medians and hold for one machine; the ratios are what to compare.",
    ...all.filter(({ name }) => SHOWN.includes(name)).flatMap(shownPart),
    ...all.flatMap(shownPlots).map(image),
    "Targets:",
    targetList(all),
  ];
}

function shownPart(result: BenchmarkResult): readonly string[] {
  const { name, about, tables, origin, machine } = result;
  const [table] = tables;
  return [
    `### ${name}`,
    `What is measured: ${about}. ${placeOf(origin, machine)}.`,
    ...(table === undefined ? [] : [speedTable(table)]),
  ];
}

function targetList(results: readonly BenchmarkResult[]): string {
  const lines = results.flatMap(({ name, tables }) => {
    const all = tables.flatMap((table) => targetLine(name, table));
    const isMissed = tables.some(({ target }) => target?.met === false);
    const reason = isMissed ? REASONS[name] : undefined;
    return reason === undefined ? all : [...all, `  Why: ${reason}`];
  });
  return lines.join("\n");
}

function targetLine(benchmark: string, { title, target }: Table): readonly string[] {
  if (target === undefined) return [];
  const verdict = target.met ? "met" : "**missed**";
  return [`- \`${benchmark}\`, ${title}: ${target.words}: ${verdict}`];
}

/** Where and of which commit something was measured. */
export function placeOf(
  { commit, isChanged, node }: Origin,
  { processors, model }: Machine,
): string {
  const state = isChanged ? " with changes" : "";
  return `Commit ${commit.slice(0, 12)}${state}, Node ${node}, ${processors} processors (${model})`;
}

/** The command that measures it. */
export function command(script: string): string {
  return `\`npx -y pnpm@12 ${script}\``;
}

function image({ alt, answer, file }: Plot): string {
  return `${answer}\n\n![${alt}](benchmarks/${file})`;
}

/** Why a benchmark misses its target, according to its profile. */
const REASONS: Readonly<Record<string, string>> = {
  "happy-path":
    "parsing and ajv are the same on both sides; with more than a thousand tools in turn, finding the tool's plan waits for memory.",
  "rejected-call":
    "the others write out what their validator found; the contract explains each fault again, looks for the near name or value, " +
    "masks secrets in every text it shows, and counts the attempt.",
  "mcp-latency":
    "as the row of the bare one shows, any Node program in the middle takes most of it or more: two more reads and two more writes. " +
    "Reading the call, judging it and noting its answer come on top.",
  "mcp-load":
    "the bare ones pass bytes on; here each call is parsed, judged by its tool's schema and counted, and its answer is matched to it. " +
    "At 16 at once both sides are busy and none of that is hidden by waiting.",
};
