import { type Corpus, thinOut } from "../corpus.ts";
import { HARMS, type RefusedCall, harmsOf } from "./meaning.ts";
import { type HintCount, type Outcome, countHints, measureHints } from "./measure.ts";
import { readToolCalls } from "./tool-calls.ts";

const REAL_CALLS = 300;

/** The hints on one set of tools. */
export type HintSet = HintCount & { readonly set: string };

/** Makes the slips of every set; every other made tool is held out while the rules of the hints are written. */
export function hintOutcomes(
  servers: Corpus,
  real: Corpus | undefined,
): readonly (readonly [set: string, outcomes: readonly Outcome[]])[] {
  const made = readToolCalls();
  return [
    ["made tools, seen", measureHints(made.filter((_, index) => index % 2 === 0))],
    ["made tools, held out", measureHints(made.filter((_, index) => index % 2 === 1))],
    ["installed MCP servers", measureHints(servers.calls)],
    ...(real === undefined
      ? []
      : [["real functions (BFCL)", measureHints(thinOut(real.calls, REAL_CALLS))] as const]),
  ];
}

/** Counts the hints of every set, and of all together. */
export function hintSets(outcomes: ReturnType<typeof hintOutcomes>): readonly HintSet[] {
  const all = outcomes.flatMap(([, own]) => own);
  return [...outcomes, ["all", all] as const].map(([set, own]) => ({ set, ...countHints(own) }));
}

/** Writes how many calls of every set have hints that are wrong in meaning. */
export function harmTable(
  sets: readonly (readonly [set: string, calls: readonly RefusedCall[]])[],
): string {
  return [
    `| tools | refused calls | ${HARMS.join(" | ")} |`,
    `| --- | --- |${" --- |".repeat(HARMS.length)}`,
    ...sets.map(([set, calls]) => {
      const found = calls.flatMap(harmsOf);
      const counts = HARMS.map((harm) => found.filter((one) => one === harm).length);
      return `| ${set} | ${calls.length} | ${counts.join(" | ")} |`;
    }),
  ].join("\n");
}

/** Writes counts of hints as a Markdown table. */
export function hintTable(head: string, counts: readonly HintSet[]): string {
  const share = (part: number, whole: number): string =>
    whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
  return [
    `| ${head} | near misses | right | wrong of those given |`,
    "| --- | --- | --- | --- |",
    ...counts.map(
      ({ set, slips, right, wrong }) =>
        `| ${set} | ${slips} | ${share(right, slips)} | ${wrong} (${share(wrong, right + wrong)}) |`,
    ),
  ].join("\n");
}
