import { lintTools, type LintOptions, type LintTool, readTools } from "@toolcontract/lint";
import { sharedBare } from "../bare-ajv.ts";
import type { Benchmark } from "../benchmark.ts";

const TOOLS = 1_000;
/** How many times the processor time of compiling them, with everything that the command does. */
const LIMIT = 4;
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
    const rounds = isQuick ? 1 : ROUNDS;
    const compiled = medianTime(() => compileAll(tools), rounds);
    const seconds = WAYS.map(([, options]) => medianTime(() => lintTools(tools, options), rounds));
    const ways = ["compiled by ajv", ...WAYS.map(([name]) => name)];
    const rows = [compiled, ...seconds].map((time, index) => ({
      name: ways[index] ?? "",
      value: tools.length / time,
      unit: "tools a second of processor time",
    }));
    const met = Math.max(...seconds) <= LIMIT * compiled;
    const words = `${TOOLS} tools take at most ${LIMIT} times the processor time of compiling them by ajv`;
    return [{ title: `${tools.length} tools`, rows, target: { words, met } }];
  },
};

/** Processor time in seconds; the first round only warms up. */
function medianTime(work: () => unknown, rounds: number): number {
  const times = Array.from({ length: rounds + 1 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000_000;
  });
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

/** Compiles each tool's schema, which ajv would otherwise do once for all tools that share it. */
function compileAll(tools: readonly LintTool[]): void {
  const engineOf = sharedBare({ addUsedSchema: false });
  for (const { name, inputSchema } of tools) {
    const tool = { name, inputSchema: { ...Object(inputSchema) } };
    try {
      engineOf(tool).compile(tool.inputSchema);
    } catch {
      // Some real schemas do not compile.
    }
  }
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
