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

  function turnOf(call: ArrivedCall, isValid: boolean): OpenTurn {
    const { attemptKey, arrivedAt: at, order } = call;
    const known = open.get(attemptKey);
    const text = known && known.rejected.size > 0 ? callText(call.name, call.args) : undefined;
    const arrival = { at, order, isValid, text };
    return known === undefined || isOver(known, arrival) ? begin(attemptKey) : known;
  }
  const register = { clock, nextOrder, turnOf };
  return {
    join: (attemptKey, name, args) =>
      new JoiningCall({ attemptKey, name, args, arrivedAt: clock(), order: nextOrder() }, register),
  };
}

/** What a call needs of the register. */
interface Register {
  readonly clock: () => number;
  readonly nextOrder: () => number;
  readonly turnOf: (call: ArrivedCall, isValid: boolean) => OpenTurn;
}

/** A call of which it is not known yet whether it is valid. */
interface ArrivedCall {
  readonly attemptKey: string;
  readonly name: string;
  readonly args: unknown;
  readonly arrivedAt: number;
  readonly order: number;
}

/** A class, because a getter in an object literal makes a hidden class for each call. */
class JoiningCall implements TurnOfCall {
  readonly #call: ArrivedCall;
  readonly #register: Register;
  #turn: OpenTurn | undefined;

  constructor(call: ArrivedCall, register: Register) {
    this.#call = call;
    this.#register = register;
  }

  get turnId(): string {
    return this.#joined(true).turnId;
  }

  get arrivedAt(): number {
    return this.#call.arrivedAt;
  }

  judged(isValid: boolean): void {
    const turn = this.#joined(isValid);
    if (isValid) turn.hasValid = true;
    else turn.hasInvalid = true;
  }

  end(): void {
    if (this.#turn) this.#turn.ended = this.#register.nextOrder();
  }

  decided(outcome: "rejected" | "forwarded"): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const { clock, nextOrder } = this.#register;
    turn.decided ??= { at: clock(), order: nextOrder() };
    if (outcome !== "rejected" || turn.rejected.size >= MAX_ANSWERED) return;
    const text = callText(this.#call.name, this.#call.args);
    if (text !== undefined) turn.rejected.add(text);
  }

  #joined(isValid: boolean): OpenTurn {
    return (this.#turn ??= this.#register.turnOf(this.#call, isValid));
  }
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
