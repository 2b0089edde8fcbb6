import type { ErrorCode } from "@toolcontract/explain";
import type { Lane } from "../shared/index.ts";

const MAX_LABELS = 1_000;

/** The number of calls, by outcome. */
export interface CallCounts {
  /** All calls. */
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

type Outcome = "admitted" | "rejected" | "blocked";

/** A number of errors for each code. */
export type CodeCounts = Readonly<Partial<Record<ErrorCode, number>>>;

/** A decided call, as metrics and telemetry count it. */
export interface CallOutcome {
  /** The declared tool's name, or `(unknown)`. */
  readonly toolName: string;
  readonly toolCallId: string;
  /** What was decided. */
  readonly outcome: Outcome;
  /** What the failure is counted under. */
  readonly lane?: Lane;
  /** True if the call was recorded as admitted before a stage refused it. */
  readonly hasRun?: boolean;
  /** The codes of the errors, in the order of the message. */
  readonly codes: readonly ErrorCode[];
  /** How many errors of each code the message has no room for. */
  readonly hidden?: CodeCounts;
  /** Whether its JSON text was repaired. */
  readonly repaired: boolean;
  /** Where the errors are, in the order of `codes`; undeclared names are `*`. */
  readonly paths?: readonly string[];
  /** The number of the failed attempt, from 1. */
  readonly attempt?: number;
  /** How many attempts the tool has. */
  readonly maxAttempts?: number;
  /** True if the tool's attempts are spent, and nothing was escalated before. */
  readonly escalated?: boolean;
  /** The conversation in which the call was made. */
  readonly conversationId?: string;
  /** When the decision began, by `performance.now()`. */
  readonly startedAt?: number;
}

/** Counts decided calls in memory. */
export interface Metrics {
  record(call: CallOutcome): void;
  /** Counts a turn in which a call of the tool succeeded after failed attempts. */
  recovered(toolName: string): void;
  snapshot(): MetricsSnapshot;
}

/** Creates counters with a bounded number of labels. */
export function createMetrics(): Metrics {
  const countedName = createToolLabels();
  const total = emptyTally();
  const byTool = new Map<string, Tally>();
  const byCode = new Map<ErrorCode, number>();
  const byLane = new Map<Lane, number>();

  function tallyOf(toolName: string): Tally {
    const name = countedName(toolName);
    const tally = byTool.get(name) ?? emptyTally();
    byTool.set(name, tally);
    return tally;
  }

  return {
    record: (call) => {
      for (const counts of [total, tallyOf(call.toolName)]) {
        if (call.hasRun !== true) counts.calls += 1;
        counts[call.outcome] += 1;
        if (call.repaired) counts.repaired += 1;
      }
      for (const [code, count] of countsOf(call)) byCode.set(code, (byCode.get(code) ?? 0) + count);
      if (call.lane) byLane.set(call.lane, (byLane.get(call.lane) ?? 0) + 1);
    },
    recovered: (toolName) => {
      for (const counts of [total, tallyOf(toolName)]) counts.recovered += 1;
    },
    snapshot: () => ({
      ...withRate(total),
      byTool: toRecord([...byTool].map(([name, tally]) => [name, withRate(tally)])),
      byCode: toRecord([...byCode]),
      byLane: toRecord([...byLane]),
    }),
  };
}

type Tally = { -readonly [Name in keyof Omit<CallCounts, "failureRate">]: number };

/** All errors of a call by code, in the order of the message and then the hidden ones. */
export function countsOf({
  codes,
  hidden = {},
}: CallOutcome): readonly (readonly [ErrorCode, number])[] {
  const rest = Object.entries(hidden) as [ErrorCode, number][];
  return [...codes.map((code) => [code, 1] as const), ...rest];
}

function emptyTally(): Tally {
  return { calls: 0, admitted: 0, rejected: 0, blocked: 0, repaired: 0, recovered: 0 };
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
