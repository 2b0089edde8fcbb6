import type { ErrorCode } from "@toolcontract/explain";
import type { CodeCounts, Lane } from "../shared/index.ts";
import type { CallAdmitted, CallAsked, CallRefused, Report } from "./report.ts";

const MAX_LABELS = 1_000;

/** The number of calls, by outcome. */
export interface CallCounts {
  /** All calls, but those that were too many in their turn; a call that a person agreed to counts again when it is made again. */
  readonly calls: number;
  /** Calls with valid arguments, whatever a stage then said. */
  readonly admitted: number;
  /** Failed calls that went back to the model. */
  readonly rejected: number;
  /** Failed calls of tools whose attempts were spent. */
  readonly blocked: number;
  /** Calls whose JSON text was repaired, whatever became of them. */
  readonly repaired: number;
  /** Turns in which a call succeeded after failed attempts. */
  readonly recovered: number;
  /** `(rejected + blocked) / calls`; 0 if there were no calls. */
  readonly failureRate: number;
}

/** All counts since a contract was created. */
export interface MetricsSnapshot extends CallCounts {
  /** By declared tool name; undeclared tools count as `(unknown)`, tools beyond 1,000 as `(other)`. */
  readonly byTool: Readonly<Record<string, CallCounts>>;
  /** The number of errors, by code; those that a message had no room for included. */
  readonly byCode: CodeCounts;
  /** The number of failed calls, by lane. */
  readonly byLane: Readonly<Partial<Record<Lane, number>>>;
}

/** Counts calls in memory. */
export interface CallMetrics {
  /** Counts the call that a report is about. */
  readonly count: (report: Report) => void;
  readonly snapshot: () => MetricsSnapshot;
}

/** Creates counters with a bounded number of labels. */
export function createMetrics(): CallMetrics {
  const countedName = createToolLabels();
  const total = emptyTally();
  const byTool = new Map<string, MutableCounts>();
  const byCode = new Map<ErrorCode, number>();
  const byLane = new Map<Lane, number>();

  function tallyOf(toolName: string): MutableCounts {
    const name = countedName(toolName);
    const tally = byTool.get(name) ?? emptyTally();
    byTool.set(name, tally);
    return tally;
  }

  function countDecision(report: CallAdmitted | CallRefused): void {
    const isRefused = report.kind === "refused";
    for (const counts of [total, tallyOf(report.call.toolName)]) {
      // One that ran was counted when it was admitted.
      if (!isRefused || !report.hasRun) counts.calls += 1;
      counts[isRefused ? report.status : "admitted"] += 1;
      if (report.isRepaired) counts.repaired += 1;
    }
    if (!isRefused) return;
    for (const [code, count] of countsOf(report)) byCode.set(code, (byCode.get(code) ?? 0) + count);
    byLane.set(report.lane, (byLane.get(report.lane) ?? 0) + 1);
  }

  /** Neither admitted nor refused yet, unless it was admitted before the question came up. */
  function countAsked({ call, hasRun }: CallAsked): void {
    if (hasRun) return;
    for (const counts of [total, tallyOf(call.toolName)]) counts.calls += 1;
  }

  return {
    count(report) {
      if (report.kind === "asked") return countAsked(report);
      if (report.kind === "admitted" || report.kind === "refused") return countDecision(report);
      if (report.kind !== "recovered") return;
      for (const counts of [total, tallyOf(report.call.toolName)]) counts.recovered += 1;
    },
    snapshot: () => ({
      ...withRate(total),
      byTool: toRecord([...byTool].map(([name, tally]) => [name, withRate(tally)])),
      byCode: toRecord([...byCode]),
      byLane: toRecord([...byLane]),
    }),
  };
}

type MutableCounts = { -readonly [Name in keyof Omit<CallCounts, "failureRate">]: number };

/** All errors of a call by code, in the order of the message and then the hidden ones. */
export function* countsOf({ errors, hidden }: CallRefused): Iterable<[ErrorCode, number]> {
  for (const { errorCode } of errors) yield [errorCode, 1];
  if (hidden) yield* Object.entries(hidden) as [ErrorCode, number][];
}

function emptyTally(): MutableCounts {
  return { calls: 0, admitted: 0, rejected: 0, blocked: 0, repaired: 0, recovered: 0 };
}

function withRate(tally: MutableCounts): CallCounts {
  const { calls, rejected, blocked } = tally;
  return { ...tally, failureRate: calls === 0 ? 0 : (rejected + blocked) / calls };
}

/** Creates an object without a prototype, so that a tool named `__proto__` is an entry like any other. */
function toRecord<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  const record = Object.create(null) as Record<string, T>;
  for (const [key, value] of entries) record[key] = value;
  return record;
}

/** Returns the name that a tool is counted under: its own, or `(other)` once 1,000 names are in use. */
export type ToolLabels = (toolName: string) => string;

/** Bounds the number of tool names, because each one costs memory in every metrics backend. */
export function createToolLabels(): ToolLabels {
  const known = new Set<string>();
  return (toolName) => {
    if (known.has(toolName)) return toolName;
    if (known.size === MAX_LABELS) return "(other)";
    known.add(toolName);
    return toolName;
  };
}
