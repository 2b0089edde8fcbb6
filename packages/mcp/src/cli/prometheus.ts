import type { InvalidResultCounts, UnreadCounts, UnvalidatedCount } from "../gate/index.ts";
import type { LimitCounts } from "../limits/index.ts";
import { line } from "./registry.ts";

/** What is counted beside the registry's metrics. */
export interface OwnCounts {
  /** This package's version. */
  readonly version: string;
  readonly unvalidated: readonly UnvalidatedCount[];
  readonly unread: UnreadCounts;
  readonly invalidResults: InvalidResultCounts;
  /** Undefined if no limit is set. */
  readonly limits: LimitCounts | undefined;
  /** How many lines of standard error nobody read. */
  readonly droppedLines: number;
  /** How many lines of the log file could not be written. */
  readonly lostLines: number;
}

/** Formats all metrics of the proxy as Prometheus text. */
export function toPrometheus(
  registered: readonly string[],
  { version, unvalidated, unread, invalidResults, limits, droppedLines, lostLines }: OwnCounts,
): string {
  return [
    "# HELP toolcontract_build_info The version that runs.",
    "# TYPE toolcontract_build_info gauge",
    line("toolcontract_build_info", [["version", version]], 1),
    ...registered,
    "# HELP toolcontract_unvalidated_calls_total Tool calls that were not validated, by reason.",
    "# TYPE toolcontract_unvalidated_calls_total counter",
    ...unvalidated.map(({ reason, outcome, count }) => {
      const labels = [
        ["reason", reason],
        ["outcome", outcome],
      ] as const;
      return line("toolcontract_unvalidated_calls_total", labels, count);
    }),
    "# HELP toolcontract_unread_messages_total Messages over the size limit that are no tool calls and were relayed unread.",
    "# TYPE toolcontract_unread_messages_total counter",
    ...Object.entries(unread).map(([from, count]) =>
      line("toolcontract_unread_messages_total", [["from", from]], count),
    ),
    "# HELP toolcontract_invalid_results_total Tool results that do not fit the output schema of their tool.",
    "# TYPE toolcontract_invalid_results_total counter",
    ...Object.entries(invalidResults).map(([outcome, count]) =>
      line("toolcontract_invalid_results_total", [["outcome", outcome]], count),
    ),
    ...(limits ? limitLines(limits) : []),
    "# HELP toolcontract_dropped_log_lines_total Lines of standard error that nobody read.",
    "# TYPE toolcontract_dropped_log_lines_total counter",
    line("toolcontract_dropped_log_lines_total", [], droppedLines),
    "# HELP toolcontract_lost_log_lines_total Lines of the log file that could not be written.",
    "# TYPE toolcontract_lost_log_lines_total counter",
    line("toolcontract_lost_log_lines_total", [], lostLines),
    "",
  ].join("\n");
}

function limitLines({ timedOut, truncated, queues }: LimitCounts): readonly string[] {
  const queueLine = (queue: string, state: string, calls: number): string =>
    line(
      "toolcontract_queue_calls",
      [
        ["queue", queue],
        ["state", state],
      ],
      calls,
    );
  return [
    "# HELP toolcontract_limited_calls_total Tool calls that reached a limit.",
    "# TYPE toolcontract_limited_calls_total counter",
    line("toolcontract_limited_calls_total", [["limit", "time"]], timedOut),
    line("toolcontract_limited_calls_total", [["limit", "size"]], truncated),
    "# HELP toolcontract_queue_calls Tool calls in a queue now.",
    "# TYPE toolcontract_queue_calls gauge",
    ...queues.flatMap(({ name, running, waiting }) => [
      queueLine(name, "running", running),
      queueLine(name, "waiting", waiting),
    ]),
  ];
}
