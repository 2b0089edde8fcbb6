import { lintTools, type LintOptions, type LintTool, readTools } from "@toolcontract/lint";
import type { Benchmark } from "../benchmark.ts";

const TOOLS = 1_000;
/** In seconds, for all of them, with everything that the command does. */
const LIMIT = 2;
const ROUNDS = 5;

const WAYS: readonly (readonly [name: string, options: LintOptions])[] = [
  ["findings", { grade: false }],
  ["findings and grades", {}],
];

/** Measures how many tools are linted in a second. */
export const lint: Benchmark = {
  name: "lint",
  about: `lintTools() of ${TOOLS} tools: those of the MCP servers and of the calls, again and again under other names`,
  async run({ corpora, isQuick }) {
    const tools = listOf(
      corpora.flatMap(({ calls }) => calls.map(({ tool }) => tool)),
      isQuick ? 20 : TOOLS,
    );
    const seconds = WAYS.map(([, options]) => medianTime(tools, options, isQuick ? 1 : ROUNDS));
    const rows = WAYS.map(([name], index) => ({
      name,
      value: tools.length / (seconds[index] ?? Number.NaN),
      unit: "tools a second of processor time",
    }));
    const met = Math.max(...seconds) * (TOOLS / tools.length) <= LIMIT;
    const target = { words: `${TOOLS} tools take at most ${LIMIT} s of processor time`, met };
    return [{ title: `${tools.length} tools`, rows, target }];
  },
};

/** Processor time in seconds; the first round only warms up. */
function medianTime(tools: readonly LintTool[], options: LintOptions, rounds: number): number {
  const times = Array.from({ length: rounds + 1 }, () => {
    const start = process.cpuUsage();
    lintTools(tools, options);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000_000;
  });
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function listOf(given: readonly object[], count: number): readonly LintTool[] {
  const unique = [...new Set(given)];
  return readTools(
    Array.from({ length: count }, (_, index) => ({
      description: "Does something.",
      ...unique[index % unique.length],
      name: `tool_${index}`,
    })),
  );
}
