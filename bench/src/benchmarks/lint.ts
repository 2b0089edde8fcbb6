import { lintTools, type LintTool, readTools } from "@toolcontract/lint";
import type { Benchmark } from "../benchmark.ts";
import { race } from "../race.ts";

const TOOLS = 1_000;
const MILLISECONDS = 1_000;

/** Measures how long linting a long list of tools takes, with and without grades. */
export const lint: Benchmark = {
  name: "lint",
  about: `lintTools() of ${TOOLS} tools: those of the MCP servers and of the calls, again and again under other names`,
  async run({ corpora, length, isQuick }) {
    const tools = listOf(
      corpora.flatMap(({ calls }) => calls.map(({ tool }) => tool)),
      isQuick ? 20 : TOOLS,
    );
    const timings = await race(
      [
        { name: "findings", run: () => lintTools(tools, { grade: false }) },
        { name: "findings and grades", run: () => lintTools(tools) },
      ],
      length,
    );
    const rows = timings.map(({ name, median, ratio, spread }) => ({
      name,
      value: median / MILLISECONDS,
      unit: "ms",
      ratio,
      spread,
    }));
    return [{ title: `${tools.length} tools`, rows }];
  },
};

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
