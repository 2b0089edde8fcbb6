import type { CallCounts, MetricsSnapshot } from "@toolcontract/core";
import type { UnreadCounts, UnvalidatedCount } from "../gate/index.ts";
import type { LimitCounts } from "../limits/index.ts";

const OUTCOMES = ["admitted", "rejected", "blocked"] as const;

/** What the contract's metrics do not count. */
export interface OwnCounts {
  readonly unvalidated: readonly UnvalidatedCount[];
  readonly unread: UnreadCounts;
  /** Undefined if no limit is set. */
  readonly limits: LimitCounts | undefined;
  /** How many lines of standard error nobody read. */
  readonly droppedLines: number;
}

/** Formats counts as Prometheus text. */
export function toPrometheus(
  { byTool, byCode }: MetricsSnapshot,
  { unvalidated, unread, limits, droppedLines }: OwnCounts,
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
    ...(limits ? limitLines(limits) : []),
    "# HELP toolcontract_dropped_log_lines_total Lines of standard error that nobody read.",
    "# TYPE toolcontract_dropped_log_lines_total counter",
    `toolcontract_dropped_log_lines_total ${droppedLines}`,
    "",
  ].join("\n");
}

function limitLines({ timedOut, truncated, queues }: LimitCounts): readonly string[] {
  return [
    "# HELP toolcontract_limited_calls_total Tool calls that reached a limit.",
    "# TYPE toolcontract_limited_calls_total counter",
    `toolcontract_limited_calls_total{limit="time"} ${timedOut}`,
    `toolcontract_limited_calls_total{limit="size"} ${truncated}`,
    "# HELP toolcontract_queue_calls Tool calls in a queue now.",
    "# TYPE toolcontract_queue_calls gauge",
    ...queues.flatMap(({ name, running, waiting }) => [
      `toolcontract_queue_calls{queue=${label(name)},state="running"} ${running}`,
      `toolcontract_queue_calls{queue=${label(name)},state="waiting"} ${waiting}`,
    ]),
  ];
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
