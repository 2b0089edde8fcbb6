import {
  type AttemptRecord,
  type ExecutionStage,
  LANES,
  type Lane,
  type StageLane,
  type TypedOutcome,
} from "../shared/index.ts";
import { type MaybePromise, all, chain, isPromiseLike } from "@toolcontract/explain/adapter";
import type { TrackedCall } from "./attempt-state.ts";
import { appendAttempt, findRepeat } from "./history.ts";
import type { AttemptStatus, Tracker } from "./retry-tracker.ts";
import type { AttemptKey } from "./store-questions.ts";
import { type AttemptCount, NO_ATTEMPTS } from "./settle-turn.ts";

/** The attempts of one call's tool, lane by lane, whoever keeps their count. */
export interface Tally {
  /** The number of the attempt that the call makes among those with invalid arguments. */
  number(): MaybePromise<number>;
  /** Records that the call is valid in a lane, which may reset its count; returns the number of the attempt. */
  valid(lane: Lane): MaybePromise<number>;
  /** Counts the call as failed. */
  failed(failure: Failure): MaybePromise<CountedFailure>;
  /** What the call finds in the lanes of the stage. */
  standing(): MaybePromise<Standing>;
  /** Whether the attempts with invalid arguments were spent before the call's turn. */
  isBlocked(): MaybePromise<boolean>;
}

/** The lanes of a stage, as a call finds them. */
export interface Standing {
  /** How one of them was closed before the call's turn, if one was. */
  readonly closed?: CountedFailure | undefined;
  /** The number of the attempt that the call makes in each. */
  readonly numbers: Readonly<Partial<Record<StageLane, number>>>;
}

/** A failed call, before it is counted. */
interface Failure extends Omit<AttemptRecord, "attempt"> {
  readonly lane: Lane;
  /** True if the tool is closed at once, however many attempts are left. */
  readonly closes: boolean;
  /** True if it does not spend the last attempt, unless there is no other. */
  readonly keepsOpen?: boolean;
  /** The typed outcome if this attempt closes the tool. */
  readonly outcomeOf?: ((attempt: number) => TypedOutcome | undefined) | undefined;
}

/** A failed call's place among the attempts of its tool. */
export interface CountedFailure {
  readonly lane: Lane;
  /** Its number, starting at 1. */
  readonly attempt: number;
  /** How many attempts the tool has in this lane. */
  readonly maxAttempts: number;
  /** True if no further attempt is allowed. */
  readonly closed: boolean;
  /** True if the tool was blocked before this call's turn. */
  readonly settled: boolean;
  /** True if an earlier or parallel call was already escalated. */
  readonly announced: boolean;
  /** The earlier attempt that had the same arguments, if any. */
  readonly repeats?: number;
  /** All attempts, this one last. */
  readonly history: readonly AttemptRecord[];
  /** How the lane ended, if it ended in a typed outcome. */
  readonly outcome?: TypedOutcome;
}

/** How many attempts each tool of a contract has. */
export interface AttemptLimits {
  /** The lanes that the contract's stage counts in. */
  readonly stageLanes: readonly StageLane[];
  of(lane: Lane): number;
}

/** The limits of a contract: `maxAttempts`, unless its stage has others for its own lanes. */
export function limitsOf(
  maxAttempts: number,
  { lanes = {} }: Partial<Pick<ExecutionStage, "lanes">> = {},
  maxFailures: number = maxAttempts,
): AttemptLimits {
  return {
    stageLanes: LANES.filter((lane) => lane !== "validation").filter((lane) => lane in lanes),
    of: (lane) => {
      if (lane === "validation") return maxAttempts;
      return lanes[lane] ?? (lane === "outcome" ? maxFailures : maxAttempts);
    },
  };
}

const CLOSED = { closed: true, settled: true, announced: true } as const;
const NO_LANES: Standing = Object.freeze({ numbers: Object.freeze({}) });

/**
 * Tallies what the host counted in its history: nothing has to be stored.
 *
 * @param isFirst - Whether no other call of the turn escalated a lane: the host does not know the call's siblings.
 */
export function historyTally(
  attempts: AttemptCount,
  limits: AttemptLimits,
  isFirst: (lane: Lane) => boolean,
): Tally {
  const countOf = (lane: Lane): AttemptCount =>
    lane === "validation" ? attempts : (attempts.lanes?.[lane] ?? NO_ATTEMPTS);
  const number = (lane: Lane): number => countOf(lane).failed + 1;

  function closed(): CountedFailure | undefined {
    const { closedBy: lane } = attempts;
    if (lane === undefined) return undefined;
    const count = countOf(lane);
    return { ...count, ...CLOSED, lane, attempt: count.failed, maxAttempts: limits.of(lane) };
  }

  return {
    number: () => number("validation"),
    valid: number,
    failed(failure) {
      const { lane, outcomeOf } = failure;
      const { blocked, failed, history, outcome: known } = countOf(lane);
      const maxAttempts = limits.of(lane);
      const counted = countFrom(blocked ? maxAttempts : failed, history, failure, maxAttempts);
      const isSpent = counted.closed && !counted.settled;
      const outcome = known ?? (counted.closed ? outcomeOf?.(counted.attempt) : undefined);
      return {
        ...counted,
        ...(isSpent && { announced: !isFirst(lane) }),
        ...(outcome && { outcome }),
      };
    },
    standing() {
      const numbers: Partial<Record<StageLane, number>> = {};
      for (const lane of limits.stageLanes) numbers[lane] = number(lane);
      return { closed: closed(), numbers };
    },
    isBlocked: () => attempts.blocked || attempts.failed >= limits.of("validation"),
  };
}

/** A call as a tracker counts it. */
interface TalliedCall extends Pick<AttemptKey, "conversationId"> {
  /** The name under which the call is counted. */
  readonly name: string;
  /** The called name if the host has no such tool: a tool that was dropped after it was closed keeps its count. */
  readonly formerName: string | undefined;
  readonly turn: TrackedCall;
}

/** Tallies what a tracker counts. */
export class TrackerTally implements Tally {
  readonly #tracker: Tracker;
  readonly #call: TalliedCall;
  readonly #limits: AttemptLimits;
  readonly #onFault: (thrown: unknown, toolName: string) => void;

  /** @param onFault - Called with what the store threw; the call goes on as if it were the first. */
  constructor(
    tracker: Tracker,
    call: TalliedCall,
    limits: AttemptLimits,
    onFault: (thrown: unknown, toolName: string) => void,
  ) {
    this.#tracker = tracker;
    this.#call = call;
    this.#limits = limits;
    this.#onFault = onFault;
  }

  number(): MaybePromise<number> {
    return numberIn(this.#statusOf("validation"));
  }

  valid(lane: Lane): MaybePromise<number> {
    const { turn } = this.#call;
    return numberIn(this.#orUndefined(() => this.#tracker.recordValid(this.#keyOf(lane), turn)));
  }

  async failed({ lane, ...failure }: Failure): Promise<CountedFailure> {
    const { formerName, turn } = this.#call;
    const former =
      formerName === undefined ? undefined : await this.#statusOf("validation", formerName);
    if (former?.settled === true) return { ...former, ...CLOSED, lane };
    const counted = await this.#orUndefined(async () => {
      const status = await this.#tracker.recordFailure(this.#keyOf(lane), { ...turn, ...failure });
      for (const other of ["validation", ...this.#limits.stageLanes] as const) {
        if (other !== lane) await this.#tracker.recordElsewhere(this.#keyOf(other), turn);
      }
      return { announced: false, ...status, lane, closed: status.status === "blocked" };
    });
    return counted ?? countFrom(0, [], { lane, ...failure }, this.#limits.of(lane));
  }

  standing(): MaybePromise<Standing> {
    const { stageLanes } = this.#limits;
    if (stageLanes.length === 0) return NO_LANES;
    const { formerName } = this.#call;
    const asked = all(stageLanes.map((lane) => this.#statusOf(lane, formerName)));
    return chain(asked, (known) => {
      let closed: CountedFailure | undefined;
      const numbers: Partial<Record<StageLane, number>> = {};
      for (const [index, lane] of stageLanes.entries()) {
        const status = known[index];
        numbers[lane] = status?.turnAttempt ?? 1;
        if (status?.settled === true) closed ??= { ...status, ...CLOSED, lane };
      }
      return { closed, numbers };
    });
  }

  isBlocked(): MaybePromise<boolean> {
    return chain(this.#statusOf("validation"), (status) => status?.settled === true);
  }

  #keyOf(lane: Lane, toolName: string = this.#call.name): AttemptKey {
    return { conversationId: this.#call.conversationId, toolName, lane };
  }

  #statusOf(lane: Lane, toolName?: string): MaybePromise<AttemptStatus | undefined> {
    return this.#orUndefined(() =>
      this.#tracker.status(this.#keyOf(lane, toolName), this.#call.turn),
    );
  }

  #orUndefined<T>(ask: () => MaybePromise<T>): MaybePromise<T | undefined> {
    const fail = (thrown: unknown): undefined => {
      this.#onFault(thrown, this.#call.name);
      return undefined;
    };
    try {
      const answer = ask();
      return isPromiseLike(answer) ? answer.then((value) => value, fail) : answer;
    } catch (thrown) {
      return fail(thrown);
    }
  }
}

function numberIn(status: MaybePromise<AttemptStatus | undefined>): MaybePromise<number> {
  return chain(status, (known) => known?.turnAttempt ?? 1);
}

/** Counts a failure after those of earlier turns; one after `maxAttempts` others finds the tool blocked. */
function countFrom(
  failed: number,
  earlier: readonly AttemptRecord[],
  failure: Failure,
  maxAttempts: number,
): CountedFailure {
  const { lane, closes, keepsOpen: _keepsOpen, outcomeOf: _outcomeOf, ...record } = failure;
  const settled = failed >= maxAttempts;
  const attempt = Math.min(failed + 1, maxAttempts);
  const repeats = findRepeat(earlier, record.argumentsHash);
  return {
    lane,
    attempt,
    maxAttempts,
    closed: closes || attempt === maxAttempts,
    settled,
    announced: settled,
    history: settled ? earlier : appendAttempt(earlier, { ...record, attempt }),
    ...(repeats !== undefined && { repeats }),
  };
}
