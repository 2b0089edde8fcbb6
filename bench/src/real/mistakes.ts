import type { RealCall } from "./real-calls.ts";

/** The families that models are counted in: the first whose pattern is in the model's name. */
const FAMILIES: readonly (readonly [family: string, pattern: RegExp])[] = [
  ["Claude", /claude/],
  ["GPT", /^gpt-\d/],
  ["gpt-oss", /gpt-oss/],
  ["Gemini", /gemini/],
  ["Mistral", /^(?:open-)?mi[sx]tral/],
  ["Command R+", /command-r/],
  ["Hermes", /hermes/i],
];
const OTHER = "others";

/** How many calls of each family make a mistake; a call with two kinds counts in both. */
export interface MistakeCounts {
  readonly families: readonly string[];
  readonly rows: readonly { readonly kind: string; readonly counts: readonly number[] }[];
}

/** Counts the mistakes of calls, the most frequent first. */
export function countMistakes(calls: readonly RealCall[]): MistakeCounts {
  const families = [...FAMILIES.map(([family]) => family), OTHER];
  const counts = new Map<string, number[]>();
  for (const call of calls) {
    const column = families.indexOf(familyOf(call));
    for (const kind of kindsOf(call)) {
      const row = counts.get(kind) ?? families.map(() => 0);
      counts.set(kind, row);
      row[column] = (row[column] ?? 0) + 1;
    }
  }
  const rows = [...counts].map(([kind, row]) => ({ kind, counts: row }));
  return { families, rows: rows.toSorted((a, b) => sum(b.counts) - sum(a.counts)) };
}

/** Writes the counts as a table in Markdown; kinds with fewer calls than `least` are one row. */
export function mistakeTable({ families, rows }: MistakeCounts, least: number): string {
  const frequent = rows.filter(({ counts }) => sum(counts) >= least);
  const rare = rows.filter((row) => !frequent.includes(row));
  const rest = families.map((_, column) => sum(rare.map(({ counts }) => counts[column] ?? 0)));
  const shown = rare.length === 0 ? frequent : [...frequent, { kind: "rarer", counts: rest }];
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["kind", "calls", ...families]),
    line(["---", "---", ...families.map(() => "---")]),
    ...shown.map(({ kind, counts }) => line([kind, sum(counts), ...counts])),
  ].join("\n");
}

function familyOf({ model }: RealCall): string {
  return FAMILIES.find(([, pattern]) => pattern.test(model))?.[0] ?? OTHER;
}

function kindsOf({ known, json, valid, faults = [] }: RealCall): readonly string[] {
  if (!known) return ["a tool that was not offered"];
  if (!json) return ["text that is not JSON"];
  return valid === false ? [...new Set(faults.map(({ kind }) => kind))] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
