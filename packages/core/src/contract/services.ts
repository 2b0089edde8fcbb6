import { type CallContext, type CallServices, createToolPlans } from "../call/index.ts";
import { createRetryTracker } from "../attempts/index.ts";
import { type ContractOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { type Metrics, createFaults, createMetrics, createTelemetry } from "../observe/index.ts";
import { createSeenOnce } from "../shared/index.ts";
import { createSanitizer } from "../sanitize/index.ts";

/** The parts of one contract. */
export interface ContractServices extends CallServices {
  readonly options: ResolvedOptions;
  readonly metrics: Pick<Metrics, "snapshot">;
  /** Joins the call to its model turn: the one the host named, or the one it overlaps with in time. */
  joinTurn(context: Pick<CallContext, "conversationId" | "turnId">): TurnShare;
  /** Returns a turn id that no other turn has. */
  newTurnId(): string;
}

/** Puts a contract's parts together; `where` is the function that got the options. */
export function createContractServices(given: ContractOptions, where?: string): ContractServices {
  const options = resolveOptions(given, where);
  const { maxValuePreview } = options.format;
  const sanitizer = createSanitizer({ maxValuePreview, workspaceRoot: options.workspaceRoot });
  const faults = createFaults(options.logger);
  const plans = createToolPlans(options, sanitizer, faults);
  const metrics = createMetrics();
  const telemetry = options.telemetry && createTelemetry(options.telemetry);
  const turns = createTurns();
  const { scope, maxAttempts, clock, store } = options;

  return {
    options,
    sanitizer,
    faults,
    metrics,
    tracker: createRetryTracker({ scope, maxAttempts, clock, ...(store && { store }) }),
    record(outcome) {
      metrics.record(outcome);
      if (telemetry) faults.guard("telemetry", () => telemetry.record(outcome));
    },
    planOf: plans.get,
    joinTurn({ conversationId, turnId }) {
      return turnId === undefined ? turns.join(conversationId) : { turnId, leave: () => undefined };
    },
    isFirst: createSeenOnce(),
    newTurnId: turns.newId,
  };
}

/** A call's share in a model turn. */
interface TurnShare {
  readonly turnId: string;
  /** Ends the call's share; the turn is over once all have left. */
  leave(): void;
}

/** Tells model turns apart for hosts that do not name them: calls that overlap in time are one turn. */
interface Turns {
  /** Joins the turn that is open in the conversation, or opens one. */
  join(conversationId: string): TurnShare;
  /** An id that no other turn has. */
  readonly newId: () => string;
}

/** Makes a register of open turns; it holds a conversation only while a call of it is under way. */
function createTurns(): Turns {
  const open = new Map<string, { readonly turnId: string; calls: number }>();
  // Two processes on one store must not name their turns alike.
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;

  function newId(): string {
    serial += 1;
    return `${prefix}-${serial}`;
  }

  function join(conversationId: string): TurnShare {
    const turn = open.get(conversationId) ?? { turnId: newId(), calls: 0 };
    open.set(conversationId, turn);
    turn.calls += 1;
    let left = false;
    return {
      turnId: turn.turnId,
      leave() {
        if (left) return;
        left = true;
        turn.calls -= 1;
        if (turn.calls === 0) open.delete(conversationId);
      },
    };
  }

  return { join, newId };
}
