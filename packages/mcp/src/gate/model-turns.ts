import { sizeWithin } from "../wire/index.ts";
import { createFairMap } from "./fair-map.ts";

const MAX_CONVERSATIONS = 10_000;
const MAX_ANSWERED = 20;
const MAX_TEXT = 4_096;
/** Calls of one message arrive closer together than those of a program that waits for an answer in between. */
const PAUSE_MS = 12;

/** The model turn of one call, inferred because the protocol has no turns. */
export interface TurnOfCall {
  /** Known once the call is judged. */
  readonly turnId: string;
  /** When the call arrived, by the gate's clock. */
  readonly arrivedAt: number;
  /** Finds its turn. Call it as soon as it is known whether the call is valid, and before anything else. */
  judged(isValid: boolean): void;
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
  hasValid: boolean;
  hasInvalid: boolean;
  /** When, and in which place among all events, the first of its calls was decided. */
  decided?: { readonly at: number; readonly order: number };
  /** In which place among all events it ended. */
  ended?: number;
}

/** A call as it arrived. */
interface Arrival {
  readonly at: number;
  readonly order: number;
  readonly isValid: boolean;
  readonly text: string | undefined;
}

/**
 * Creates the register of turns. Calls share a turn if they arrive before the first of them is decided, or within
 * `coalesceMs` after that. A repeat of a rejected call starts a new turn, because the model has seen the answer to the first;
 * so does a valid call some milliseconds after an invalid one, and the other way round, which a program makes one after another.
 */
export function createModelTurns({ clock, coalesceMs }: TurnsOptions): ModelTurns {
  const open = createFairMap<OpenTurn>(MAX_CONVERSATIONS);
  const nextId = createIds();
  let events = 0;
  const nextOrder = (): number => (events += 1);

  function begin(attemptKey: string): OpenTurn {
    const turn = {
      turnId: nextId(),
      rejected: new Set<string>(),
      hasValid: false,
      hasInvalid: false,
    };
    open.set(attemptKey, turn);
    return turn;
  }
  function isOver(turn: OpenTurn, { at, order, isValid, text }: Arrival): boolean {
    const { decided, ended, rejected, hasValid, hasInvalid } = turn;
    if (ended !== undefined && order > ended) return true;
    if (decided === undefined || order < decided.order) return false;
    const since = at - decided.at;
    if (since >= coalesceMs) return true;
    if (since >= PAUSE_MS && (isValid ? hasInvalid : hasValid)) return true;
    return text !== undefined && rejected.has(text);
  }

  return {
    join(attemptKey, name, args) {
      const arrivedAt = clock();
      const order = nextOrder();
      let turn: OpenTurn | undefined;
      let text: string | undefined;
      const turnOf = (isValid: boolean): OpenTurn => {
        const known = open.get(attemptKey);
        text = known && known.rejected.size > 0 ? callText(name, args) : undefined;
        const arrival = { at: arrivedAt, order, isValid, text };
        return known === undefined || isOver(known, arrival) ? begin(attemptKey) : known;
      };
      return {
        get turnId() {
          return (turn ??= turnOf(true)).turnId;
        },
        arrivedAt,
        judged(isValid) {
          turn ??= turnOf(isValid);
          if (isValid) turn.hasValid = true;
          else turn.hasInvalid = true;
        },
        end() {
          if (turn) turn.ended = nextOrder();
        },
        decided(outcome) {
          if (turn === undefined) return;
          turn.decided ??= { at: clock(), order: nextOrder() };
          if (outcome !== "rejected" || turn.rejected.size >= MAX_ANSWERED) return;
          text ??= callText(name, args);
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
