import { chain } from "@toolcontract/core/adapter";
import type { ToolHealth } from "../shared/index.ts";
import type { Records } from "./records.ts";
import type { SequenceEnd } from "./sequences.ts";

const HALF_LIFE_MS = 3_600_000;
const PER_EXHAUSTION = 1;
const PER_REPAIR = 0.25;
const TOO_HIGH = 3;
const MAX_TOOLS = 1_000;
/** Where the names of all tools are that were counted. */
const INDEX = ["health"];

type ToolTally = { -readonly [Name in keyof ToolHealth]: number } & { at: number };

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

/** Creates the counters; `clock` gives milliseconds. With records, counts are added to theirs at the end of each sequence. */
export function createHealth(clock: () => number, records?: Records): Health {
  const tools = new Map<string, ToolTally>();
  /** What the records held of each tool the last time, with what was added then. */
  const kept = new Map<string, ToolTally>();
  let shared: Promise<void> = Promise.resolve();
  if (records) load(records);

  /** Goes on from what other processes have counted, at once if the store answers at once. */
  function load(from: Records): void {
    chain(from.readNow(INDEX), (piece) => {
      const names: unknown = piece?.["tools"];
      for (const tool of Array.isArray(names) ? names.slice(0, MAX_TOOLS) : []) {
        if (typeof tool !== "string") continue;
        chain(from.readNow(["health", tool]), (counts) => {
          if (counts === undefined || tools.has(tool)) return;
          const tally: ToolTally = { ...EMPTY, at: numberIn(counts, "at") };
          for (const name of [...COUNTS, "pressure"] as const) tally[name] = numberIn(counts, name);
          tools.set(tool, tally);
          kept.set(tool, { ...tally });
        });
      }
    });
  }

  /** Lists a tool for processes that begin later. */
  async function list(tool: string, to: Records): Promise<void> {
    await to.change(INDEX, (piece) => {
      const names: unknown = piece?.["tools"];
      const known: readonly unknown[] = Array.isArray(names) ? names : [];
      const isFull = known.includes(tool) || known.length >= MAX_TOOLS;
      return { tools: isFull ? known : [...known, tool] };
    });
  }

  function tallyOf(tool: string): ToolTally {
    const known = tools.get(tool);
    if (known) return known;
    const tally = { ...EMPTY, at: clock() };
    if (tools.size >= MAX_TOOLS) return tally;
    tools.set(tool, tally);
    // What other processes have counted is known from the first call on.
    if (records) shared = shared.then(async () => list(tool, records));
    share(tool, tally);
    return tally;
  }

  function count(
    tool: string,
    end: SequenceEnd,
    by: 1 | -1,
  ): { readonly before: number; readonly after: number; readonly tally: ToolTally } {
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

  /** Adds what was counted since the last time to the records, one tool after the other, and goes on from what they hold. */
  function share(tool: string, tally: ToolTally): void {
    if (records && tools.has(tool)) shared = shared.then(async () => add(tool, tally, records));
  }

  async function add(tool: string, tally: ToolTally, to: Records): Promise<void> {
    const since = kept.get(tool) ?? { ...EMPTY, at: tally.at };
    const now = { ...tally };
    const all = await to.change(["health", tool], (before) => {
      const sum: Record<string, number> = { at: now.at };
      const old = Number(before?.["at"] ?? now.at);
      for (const name of COUNTS) sum[name] = numberIn(before, name) + now[name] - since[name];
      const theirs = decayed(numberIn(before, "pressure"), now.at - old);
      const ours = now.pressure - decayed(since.pressure, now.at - since.at);
      return { ...sum, pressure: Math.max(0, theirs + ours) };
    });
    // What could not be added is added with the next.
    if (all === undefined) return;
    const sum = { ...now, pressure: numberIn(all, "pressure") };
    for (const name of COUNTS) sum[name] = numberIn(all, name);
    kept.set(tool, sum);
    for (const name of COUNTS) tally[name] += sum[name] - now[name];
    tally.pressure += decayed(sum.pressure - now.pressure, tally.at - now.at);
  }

  function shown(tally: ToolTally): ToolHealth {
    const { at, ...counts } = tally;
    return { ...counts, pressure: decayed(counts.pressure, clock() - at) };
  }

  return {
    called: (tool) => void (tallyOf(tool).calls += 1),
    rolledBack: (tool) => void (tallyOf(tool).rollbacks += 1),
    ended(tool, end) {
      const { before, after, tally } = count(tool, end, 1);
      share(tool, tally);
      return !isTooHigh(before) && isTooHigh(after) ? shown(tally) : undefined;
    },
    reopened: (tool, end) => void count(tool, end, -1),
    snapshot: () => {
      const all = Object.create(null) as Record<string, ToolHealth>;
      for (const [tool, tally] of tools) all[tool] = shown(tally);
      return all;
    },
  };
}

/** To one decimal: what was counted a moment ago has hardly decayed. */
function isTooHigh(pressure: number): boolean {
  return Math.round(pressure * 10) / 10 >= TOO_HIGH;
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
  return pressure === 0 ? 0 : pressure * 0.5 ** (Math.max(0, elapsedMs) / HALF_LIFE_MS);
}
