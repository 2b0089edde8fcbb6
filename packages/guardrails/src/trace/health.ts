import type { ToolHealth } from "../shared/index.ts";
import type { SequenceEnd } from "./sequences.ts";

const HALF_LIFE_MS = 3_600_000;
const PER_EXHAUSTION = 1;
const PER_REPAIR = 0.25;
const TOO_HIGH = 3;
const MAX_TOOLS = 1_000;

type Tally = { -readonly [Name in keyof ToolHealth]: number } & { at: number };

/** Counts how tools fare; at most 1,000 of them. */
export interface Health {
  called(tool: string): void;
  rolledBack(tool: string): void;
  /** Counts a sequence; returns the tool's health if its pressure has just reached 3. */
  ended(tool: string, end: SequenceEnd): ToolHealth | undefined;
  /** Withdraws a success, because another call of the same turn failed. */
  reopened(tool: string, end: SequenceEnd): void;
  snapshot(): Readonly<Record<string, ToolHealth>>;
}

/** Where counts are added up beyond this process. */
interface HealthRecords {
  change(
    key: readonly unknown[],
    change: (before: Readonly<Record<string, unknown>> | undefined) => Record<string, unknown>,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Creates the counters; `clock` gives milliseconds. With records, counts are added to theirs at the end of each sequence. */
export function createHealth(clock: () => number, records?: HealthRecords): Health {
  const tools = new Map<string, Tally>();
  /** What the records hold of each tool without what is not added to them yet. */
  const kept = new Map<string, Tally>();

  function tallyOf(tool: string): Tally {
    const known = tools.get(tool);
    if (known) return known;
    const tally = { ...EMPTY, at: clock() };
    if (tools.size < MAX_TOOLS) tools.set(tool, tally);
    return tally;
  }

  function count(
    tool: string,
    end: SequenceEnd,
    by: 1 | -1,
  ): { readonly before: number; readonly after: number; readonly tally: Tally } {
    const tally = tallyOf(tool);
    tally.sequences += by;
    if (end === "repaired") tally.repaired += by;
    if (end === "guardrail") tally.guardrail_retry_exhausted += by;
    if (end === "outcome") tally.outcome_repair_retry_exhausted += by;
    const before = decayed(tally.pressure, clock() - tally.at);
    tally.pressure = Math.max(0, before + by * ADDED[end]);
    tally.at = clock();
    return { before, after: tally.pressure, tally };
  }

  /** Adds what was counted since the last time to the records, and goes on from what they hold. */
  async function share(tool: string, tally: Tally): Promise<void> {
    if (records === undefined) return;
    const since = kept.get(tool) ?? { ...EMPTY, at: tally.at };
    const added = { ...tally };
    kept.set(tool, { ...tally });
    const all = await records.change(["health", tool], (before) => {
      const sum: Record<string, number> = { at: added.at };
      const old = Number(before?.["at"] ?? added.at);
      for (const name of COUNTS) sum[name] = numberIn(before, name) + added[name] - since[name];
      const theirs = decayed(numberIn(before, "pressure"), added.at - old);
      const ours = added.pressure - decayed(since.pressure, added.at - since.at);
      return { ...sum, pressure: Math.max(0, theirs + ours) };
    });
    if (all === undefined) return;
    // What was counted meanwhile is not in the records yet.
    for (const name of COUNTS) {
      const later = tally[name] - added[name];
      tally[name] = numberIn(all, name) + later;
      const base = kept.get(tool);
      if (base) base[name] = numberIn(all, name);
    }
    if (tally.at === added.at) tally.pressure = numberIn(all, "pressure");
    const base = kept.get(tool);
    if (base) base.pressure = tally.pressure;
  }

  function shown(tally: Tally): ToolHealth {
    const { at, ...counts } = tally;
    return { ...counts, pressure: decayed(counts.pressure, clock() - at) };
  }

  return {
    called: (tool) => void (tallyOf(tool).calls += 1),
    rolledBack: (tool) => void (tallyOf(tool).rollbacks += 1),
    ended(tool, end) {
      const { before, after, tally } = count(tool, end, 1);
      void share(tool, tally);
      return before < TOO_HIGH && after >= TOO_HIGH ? shown(tally) : undefined;
    },
    reopened: (tool, end) => void count(tool, end, -1),
    snapshot: () => {
      const all = Object.create(null) as Record<string, ToolHealth>;
      for (const [tool, tally] of tools) all[tool] = shown(tally);
      return all;
    },
  };
}

const EMPTY: ToolHealth = {
  calls: 0,
  sequences: 0,
  repaired: 0,
  rollbacks: 0,
  guardrail_retry_exhausted: 0,
  outcome_repair_retry_exhausted: 0,
  pressure: 0,
};

const COUNTS = [
  "calls",
  "sequences",
  "repaired",
  "rollbacks",
  "guardrail_retry_exhausted",
  "outcome_repair_retry_exhausted",
] as const;

function numberIn(piece: Readonly<Record<string, unknown>> | undefined, name: string): number {
  const value = piece?.[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

const ADDED: Readonly<Record<SequenceEnd, number>> = {
  succeeded: 0,
  repaired: PER_REPAIR,
  guardrail: PER_EXHAUSTION,
  outcome: PER_EXHAUSTION,
  stopped: 0,
};

function decayed(pressure: number, elapsedMs: number): number {
  return pressure * 0.5 ** (Math.max(0, elapsedMs) / HALF_LIFE_MS);
}
