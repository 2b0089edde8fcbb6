import type { CallCounts, MetricsSnapshot } from "@toolcontract/core";
import type { UnreadCounts, UnvalidatedCount } from "../gate/index.ts";

const OUTCOMES = ["admitted", "rejected", "blocked"] as const;

/** What the contract's metrics do not count. */
export interface OwnCounts {
  readonly unvalidated: readonly UnvalidatedCount[];
  readonly unread: UnreadCounts;
  /** How many lines of standard error nobody read. */
  readonly droppedLines: number;
}

/** Formats counts as Prometheus text. */
export function toPrometheus(
  { byTool, byCode }: MetricsSnapshot,
  { unvalidated, unread, droppedLines }: OwnCounts,
): string {
  const tools = Object.entries(byTool);
  return [
    "# HELP toolcontract_calls_total Tool calls by outcome.",
    "# TYPE toolcontract_calls_total counter",
    ...tools.flatMap(([tool, counts]) => callLines(tool, counts)),
    "# HELP toolcontract_repaired_calls_total Tool calls whose JSON text was repaired.",
    "# TYPE toolcontract_repaired_calls_total counter",
    ...tools.map(
      ([tool, { repaired }]) =>
        `toolcontract_repaired_calls_total{tool=${label(tool)}} ${repaired}`,
    ),
    "# HELP toolcontract_unvalidated_calls_total Tool calls that were not validated, by reason.",
    "# TYPE toolcontract_unvalidated_calls_total counter",
    ...unvalidated.map(
      ({ reason, outcome, count }) =>
        `toolcontract_unvalidated_calls_total{reason="${reason}",outcome="${outcome}"} ${count}`,
    ),
    "# HELP toolcontract_unread_messages_total Messages over the size limit that are no tool calls and were relayed unread.",
    "# TYPE toolcontract_unread_messages_total counter",
    ...Object.entries(unread).map(
      ([from, count]) => `toolcontract_unread_messages_total{from="${from}"} ${count}`,
    ),
    "# HELP toolcontract_errors_total Faults in tool calls by error code.",
    "# TYPE toolcontract_errors_total counter",
    ...Object.entries(byCode).map(
      ([code, count]) => `toolcontract_errors_total{code=${label(code)}} ${count}`,
    ),
    "# HELP toolcontract_dropped_log_lines_total Lines of standard error that nobody read.",
    "# TYPE toolcontract_dropped_log_lines_total counter",
    `toolcontract_dropped_log_lines_total ${droppedLines}`,
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
