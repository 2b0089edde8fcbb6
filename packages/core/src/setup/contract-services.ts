import type { CallServices } from "../stages/call-services.ts";
import { createRetryTracker } from "../attempts/retry-tracker.ts";
import type { CallContext } from "../call-context.ts";
import type { ContractOptions } from "../contract-options.ts";
import { createFaults } from "./faults.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import { createTelemetry } from "../observe/telemetry.ts";
import { createFirstTime } from "./first-time.ts";
import { resolveOptions, type ResolvedOptions } from "./resolve-options.ts";
import { createSanitizer } from "../sanitize/sanitizer.ts";
import { createToolPlans } from "./tool-plans.ts";
import { createTurns, type TurnShare } from "./turns.ts";

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
    isFirst: createFirstTime(),
    newTurnId: turns.newId,
  };
}
