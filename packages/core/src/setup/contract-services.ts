import { createRetryTracker, type RetryTracker } from "../attempts/retry-tracker.ts";
import { UNKNOWN_TOOL } from "../attempts/tool-key.ts";
import type { CallContext } from "../call-context.ts";
import type { ContractOptions } from "../contract-options.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { CallOutcome } from "../observe/call-outcome.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import { createTelemetry } from "../observe/telemetry.ts";
import { createFirstTime } from "./first-time.ts";
import { resolveOptions, type ResolvedOptions } from "./resolve-options.ts";
import { createSanitizer, type Sanitizer } from "../sanitize/sanitizer.ts";
import type { ToolDefinition } from "../tool-definition.ts";
import { createToolPlans, type ToolPlan } from "./tool-plans.ts";
import { createTurns, type TurnShare } from "./turns.ts";

/** What the stages of one contract share. */
export interface ContractServices {
  readonly options: ResolvedOptions;
  readonly sanitizer: Sanitizer;
  readonly faults: Faults;
  readonly tracker: RetryTracker;
  readonly metrics: Pick<Metrics, "snapshot">;
  /** Counts a decided call in memory and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** All that checking a call of this tool needs. */
  readonly planOf: (tool: ToolDefinition) => ToolPlan;
  /** The call's share in its model turn, named by the host or told by overlap. */
  joinTurn(context: Pick<CallContext, "conversationId" | "turnId">): TurnShare;
  /** Says yes to a key the first time. */
  readonly isFirst: (key: string) => boolean;
  /** A turn id that no other turn has. */
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

/** The name under which a call is counted and logged. */
export function labelOf(tool: ToolDefinition | undefined): string {
  return tool?.name ?? UNKNOWN_TOOL;
}
