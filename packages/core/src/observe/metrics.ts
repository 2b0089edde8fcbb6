import type { ErrorCode } from "../shared/index.ts";

const MAX_LABELS = 1_000;

/** The number of calls, by outcome. */
export interface CallCounts {
  /** All calls. */
  readonly calls: number;
  /** Valid calls. */
  readonly admitted: number;
  /** Invalid calls that went back to the model. */
  readonly rejected: number;
  /** Invalid calls of tools whose attempts were spent. */
  readonly blocked: number;
  /** Calls whose JSON text was repaired, whatever became of them. */
  readonly repaired: number;
  /** `(rejected + blocked) / calls`; 0 if there were no calls. */
  readonly failureRate: number;
}

/** All counts since a contract was created. */
export interface MetricsSnapshot extends CallCounts {
  /** By declared tool name; undeclared tools count as `(unknown)`, tools beyond 1,000 as `(other)`. */
  readonly byTool: Readonly<Record<string, CallCounts>>;
  /** The number of errors, by code. */
  readonly byCode: Readonly<Partial<Record<ErrorCode, number>>>;
}

type Outcome = "admitted" | "rejected" | "blocked";

/** A decided call, as metrics and telemetry count it. */
export interface CallOutcome {
  /** The declared tool's name, or `(unknown)`. */
  readonly toolName: string;
  readonly toolCallId: string;
  readonly outcome: Outcome;
  /** The codes of the errors, in the order of the message. */
  readonly codes: readonly ErrorCode[];
  /** Whether its JSON text was repaired. */
  readonly repaired: boolean;
}

/** Counts decided calls in memory. */
export interface Metrics {
  record(call: CallOutcome): void;
  snapshot(): MetricsSnapshot;
}

/** Creates counters with a bounded number of labels. */
export function createMetrics(): Metrics {
  const countedName = createToolLabels();
  const total = emptyTally();
  const byTool = new Map<string, Tally>();
  const byCode = new Map<ErrorCode, number>();
  return {
    record: (call) => {
      const name = countedName(call.toolName);
      const tally = byTool.get(name) ?? emptyTally();
      byTool.set(name, tally);
      for (const counts of [total, tally]) {
        counts.calls += 1;
        counts[call.outcome] += 1;
        if (call.repaired) counts.repaired += 1;
      }
      for (const code of call.codes) byCode.set(code, (byCode.get(code) ?? 0) + 1);
    },
    snapshot: () => ({
      ...withRate(total),
      byTool: toRecord([...byTool].map(([name, tally]) => [name, withRate(tally)])),
      byCode: toRecord([...byCode]),
    }),
  };
}

type Tally = { -readonly [Name in keyof Omit<CallCounts, "failureRate">]: number };

function emptyTally(): Tally {
  return { calls: 0, admitted: 0, rejected: 0, blocked: 0, repaired: 0 };
}

function withRate(tally: Tally): CallCounts {
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
