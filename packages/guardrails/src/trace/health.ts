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
  /** Takes a success back, because another call of the same turn failed. */
  reopened(tool: string, end: SequenceEnd): void;
  snapshot(): Readonly<Record<string, ToolHealth>>;
}

/** Creates the counters; `clock` gives milliseconds. */
export function createHealth(clock: () => number): Health {
  const tools = new Map<string, Tally>();

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

  function shown(tally: Tally): ToolHealth {
    const { at, ...counts } = tally;
    return { ...counts, pressure: decayed(counts.pressure, clock() - at) };
  }

  return {
    called: (tool) => void (tallyOf(tool).calls += 1),
    rolledBack: (tool) => void (tallyOf(tool).rollbacks += 1),
    ended(tool, end) {
      const { before, after, tally } = count(tool, end, 1);
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
