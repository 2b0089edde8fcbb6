import { sizeWithin } from "../wire/index.ts";
import { createFairMap } from "./fair-map.ts";

const MAX_CONVERSATIONS = 10_000;
const MAX_ANSWERED = 20;
const MAX_TEXT = 4_096;

/** The model turn of one call, inferred because the protocol has no turns. */
export interface TurnOfCall {
  readonly turnId: string;
  /** When the call arrived, by the gate's clock. */
  readonly arrivedAt: number;
  /** Marks the call as answered or forwarded; the model may see the answer from now on. */
  decided(outcome: "rejected" | "forwarded"): void;
  /** Ends the turn: its answer closes a tool, and calls that arrive from now on were made with that in view. */
  end(): void;
}

/** Infers which calls the model made in one turn, of those that reach this process. */
export interface ModelTurns {
  join(attemptKey: string, name: string, args: unknown): TurnOfCall;
}

/** The clock, and how close together the calls of a turn are. */
export interface TurnsOptions {
  readonly clock: () => number;
  readonly coalesceMs: number;
}

interface OpenTurn {
  readonly turnId: string;
  readonly rejected: Set<string>;
  decidedAt?: number;
  hasEnded?: boolean;
}

/**
 * Creates the register of turns. Calls share a turn if they arrive before the first of them is decided, or within
 * `coalesceMs` after that. A repeat of a rejected call starts a new turn: the model has seen the answer to the first.
 */
export function createModelTurns({ clock, coalesceMs }: TurnsOptions): ModelTurns {
  const open = createFairMap<OpenTurn>(MAX_CONVERSATIONS);
  const nextId = createIds();

  function begin(attemptKey: string): OpenTurn {
    const turn = { turnId: nextId(), rejected: new Set<string>() };
    open.set(attemptKey, turn);
    return turn;
  }

  function isOver({ decidedAt, rejected, hasEnded }: OpenTurn, call: string | undefined): boolean {
    if (hasEnded === true) return true;
    if (decidedAt === undefined) return false;
    return clock() - decidedAt >= coalesceMs || (call !== undefined && rejected.has(call));
  }

  return {
    join(attemptKey, name, args) {
      const known = open.get(attemptKey);
      const call = known && known.rejected.size > 0 ? callText(name, args) : undefined;
      const turn = known === undefined || isOver(known, call) ? begin(attemptKey) : known;
      return {
        turnId: turn.turnId,
        arrivedAt: clock(),
        end() {
          turn.hasEnded = true;
        },
        decided(outcome) {
          turn.decidedAt ??= clock();
          if (outcome !== "rejected" || turn.rejected.size >= MAX_ANSWERED) return;
          const text = call ?? callText(name, args);
          if (text !== undefined) turn.rejected.add(text);
        },
      };
    },
  };
}

/** Identifies a call by name and arguments; undefined if they are too long or too deep to compare. */
function callText(name: string, args: unknown): string | undefined {
  if (sizeWithin(args, MAX_TEXT) > MAX_TEXT) return undefined;
  try {
    const text = JSON.stringify([name, args]);
    return text.length <= MAX_TEXT ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Ids with a random prefix: two processes that share a store must not produce the same. */
function createIds(): () => string {
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;
  return () => {
    serial += 1;
    return `${prefix}-${serial}`;
  };
}
