import type { CallCounts, MetricsSnapshot } from "@toolcontract/core";

const OUTCOMES = ["admitted", "rejected", "blocked"] as const;

/** Writes counts in the text format of Prometheus. */
export function toPrometheus({ byTool, byCode }: MetricsSnapshot): string {
  const tools = Object.entries(byTool);
  return [
    "# HELP toolcontract_calls_total Tool calls by what became of them.",
    "# TYPE toolcontract_calls_total counter",
    ...tools.flatMap(([tool, counts]) => callLines(tool, counts)),
    "# HELP toolcontract_repaired_calls_total Tool calls whose JSON text was repaired.",
    "# TYPE toolcontract_repaired_calls_total counter",
    ...tools.map(
      ([tool, { repaired }]) =>
        `toolcontract_repaired_calls_total{tool=${label(tool)}} ${repaired}`,
    ),
    "# HELP toolcontract_errors_total Faults in tool calls by error code.",
    "# TYPE toolcontract_errors_total counter",
    ...Object.entries(byCode).map(
      ([code, count]) => `toolcontract_errors_total{code=${label(code)}} ${count}`,
    ),
    "",
  ].join("\n");
}

function callLines(tool: string, counts: CallCounts): readonly string[] {
  return OUTCOMES.map(
    (outcome) =>
      `toolcontract_calls_total{tool=${label(tool)},outcome="${outcome}"} ${counts[outcome]}`,
  );
}

function label(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
