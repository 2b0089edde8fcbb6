import type { ErrorCode } from "../shared/index.ts";

/** How many calls there were and what became of them. */
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
  /** `(rejected + blocked) / calls`, 0 without calls. */
  readonly failureRate: number;
}

/** All counts since a contract was made. */
export interface MetricsSnapshot extends CallCounts {
  /** By declared tool name; undeclared ones are `(unknown)`, those beyond 1,000 `(other)`. */
  readonly byTool: Readonly<Record<string, CallCounts>>;
  /** How many errors of each code were reported. */
  readonly byCode: Readonly<Partial<Record<ErrorCode, number>>>;
}

/** Counts in memory what a contract decides. */
export interface Metrics {
  record(call: CallOutcome): void;
  snapshot(): MetricsSnapshot;
}

type Tally = { -readonly [Name in keyof Omit<CallCounts, "failureRate">]: number };

/** Makes counters whose labels stay bounded. */
export function createMetrics(): Metrics {
  const labelOf = createToolLabels();
  const total = emptyTally();
  const byTool = new Map<string, Tally>();
  const byCode = new Map<ErrorCode, number>();
  return {
    record: (call) => {
      const label = labelOf(call.toolName);
      const tally = byTool.get(label) ?? emptyTally();
      byTool.set(label, tally);
      for (const counts of [total, tally]) {
        counts.calls += 1;
        counts[call.outcome] += 1;
        if (call.repaired) counts.repaired += 1;
      }
      for (const code of call.codes) byCode.set(code, (byCode.get(code) ?? 0) + 1);
    },
    snapshot: () => ({
      ...withRate(total),
      byTool: toRecord([...byTool].map(([label, tally]) => [label, withRate(tally)])),
      byCode: toRecord([...byCode]),
    }),
  };
}

function emptyTally(): Tally {
  return { calls: 0, admitted: 0, rejected: 0, blocked: 0, repaired: 0 };
}

function withRate(tally: Tally): CallCounts {
  const { calls, rejected, blocked } = tally;
  return { ...tally, failureRate: calls === 0 ? 0 : (rejected + blocked) / calls };
}

/** Without a prototype, a tool named `__proto__` is an entry like any other. */
function toRecord<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  const record = Object.create(null) as Record<string, T>;
  for (const [key, value] of entries) record[key] = value;
  return record;
}

const MAX_LABELS = 1_000;

/** Gives a tool's metric label: its name, or `(other)` once 1,000 names are in use. */
export type ToolLabels = (toolName: string) => string;

/** Makes labels whose number stays bounded, because every new one costs memory in each metrics backend. */
export function createToolLabels(): ToolLabels {
  const known = new Set<string>();
  return (toolName) => {
    if (known.has(toolName)) return toolName;
    if (known.size === MAX_LABELS) return "(other)";
    known.add(toolName);
    return toolName;
  };
}

/** What a contract decided about a call. */
type Outcome = "admitted" | "rejected" | "blocked";

/** One decided call, as metrics and telemetry count it. */
export interface CallOutcome {
  /** The declared name, or `(unknown)`. */
  readonly toolName: string;
  readonly toolCallId: string;
  readonly outcome: Outcome;
  /** The codes of the errors, in the order of the message. */
  readonly codes: readonly ErrorCode[];
  /** Whether its JSON text had to be repaired. */
  readonly repaired: boolean;
}
