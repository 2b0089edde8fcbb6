import { createRecentMap } from "@toolcontract/core/adapter";
import type { ToolDefinition } from "@toolcontract/core";

const MAX_CONVERSATIONS = 1_000;
const MAX_ANSWERED = 20;
const MAX_TEXT = 4_096;

/** The model turn of one call, as far as a protocol without turns lets it be guessed. */
export interface TurnOfCall {
  readonly turnId: string;
  /** Says that the call is answered or forwarded, so that the model may have read of it soon. */
  decided(outcome: "rejected" | "forwarded"): void;
}

/** Guesses which calls the model made together. */
export interface ModelTurns {
  join(attemptKey: string, name: string, args: unknown): TurnOfCall;
}

/** When and where turns are counted. */
export interface TurnsOptions {
  readonly clock: () => number;
  readonly coalesceMs: number;
}

interface OpenTurn {
  readonly turnId: string;
  readonly rejected: Set<string>;
  decidedAt?: number;
}

/**
 * Makes the register of turns: calls belong together if they were read before the first of them was decided on, or
 * very soon after. The same call once more is a new turn: it cannot have been made beside its own answer.
 */
export function createModelTurns({ clock, coalesceMs }: TurnsOptions): ModelTurns {
  const open = createRecentMap<string, OpenTurn>(MAX_CONVERSATIONS);
  // Two processes on one store must not name their turns alike.
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;

  function begin(attemptKey: string): OpenTurn {
    serial += 1;
    const turn = { turnId: `${prefix}-${serial}`, rejected: new Set<string>() };
    open.set(attemptKey, turn);
    return turn;
  }

  function isOver({ decidedAt, rejected }: OpenTurn, call: string | undefined): boolean {
    if (decidedAt === undefined) return false;
    return clock() - decidedAt >= coalesceMs || (call !== undefined && rejected.has(call));
  }

  return {
    join(attemptKey, name, args) {
      const known = open.get(attemptKey);
      const call = known && known.rejected.size > 0 ? textOf(name, args) : undefined;
      const turn = known === undefined || isOver(known, call) ? begin(attemptKey) : known;
      return {
        turnId: turn.turnId,
        decided(outcome) {
          turn.decidedAt ??= clock();
          if (outcome !== "rejected" || turn.rejected.size >= MAX_ANSWERED) return;
          const text = call ?? textOf(name, args);
          if (text !== undefined) turn.rejected.add(text);
        },
      };
    },
  };
}

/** What tells one call from another; long or deep ones are not told apart. */
function textOf(name: string, args: unknown): string | undefined {
  try {
    const text = JSON.stringify([name, args]);
    return text.length <= MAX_TEXT ? text : undefined;
  } catch {
    return undefined;
  }
}

const MAX_TOOLS = 10_000;

/** Names the run in which a tool's attempts count. */
export interface AttemptRuns {
  /** A new run begins where the tool was idle for long, or where it changed. */
  runOf(attemptKey: string, tool: ToolDefinition | undefined): string;
}

/** When a run ends. */
export interface RunsOptions {
  readonly clock: () => number;
  readonly attemptWindowMs: number;
}

interface Run {
  readonly runId: string;
  readonly tool: ToolDefinition | undefined;
  readonly touchedAt: number;
}

/** Makes the register of runs. */
export function createAttemptRuns({ clock, attemptWindowMs }: RunsOptions): AttemptRuns {
  const runs = createRecentMap<string, Run>(MAX_TOOLS);
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;

  return {
    runOf(attemptKey, tool) {
      const key = JSON.stringify([attemptKey, tool?.name]);
      const touchedAt = clock();
      const last = runs.get(key);
      const goesOn =
        last !== undefined && last.tool === tool && touchedAt - last.touchedAt < attemptWindowMs;
      if (!goesOn) serial += 1;
      const runId = goesOn ? last.runId : `${prefix}-${serial}`;
      runs.set(key, { runId, tool, touchedAt });
      return runId;
    },
  };
}
