import {
  type StoreResult,
  type Tracker,
  UNKNOWN_TOOL,
  createTracker,
  limitsOf,
  boundedStore,
  timedStore,
} from "../attempts/index.ts";
import {
  type CallContext,
  type CallServices,
  type NamedContext,
  type ToolSchemas,
  createFailures,
  createJournal,
  createToolPlans,
  elementOf,
  toolNames,
} from "../call/index.ts";
import { createReporter } from "../observe/index.ts";
import { createSanitizer, createRecentMap, createSeenOnce } from "@toolcontract/explain/adapter";
import type { ExecutionStage, ToolCall } from "../shared/index.ts";
import { createReports } from "./reports.ts";
import type { ContractOptions } from "./options.ts";
import { type ResolvedOptions, resolveOptions } from "./resolve-options.ts";

/** What the methods of one contract share. */
export interface ContractServices extends CallServices {
  readonly options: ResolvedOptions;
  /** Joins a call to the model turn whose calls overlap with it. */
  joinTurn(context: RunOfCall & Pick<CallContext, "knowsRun">): TurnShare;
  /** Whether a call is one too many in its turn. */
  isExcess(call: ToolCall, context: NamedContext): boolean;
}

/** The run that a call belongs to. */
type RunOfCall = Pick<CallContext, "conversationId" | "runId">;

/** A call's part in a model turn. */
interface TurnShare {
  readonly turnId: string;
  /** Ends the call's part, once; the turn is over when all its calls have left. */
  readonly leave: () => void;
}

/** Returns the JSON Schemas for a contract with these options. */
export type SchemasFor = (options: ResolvedOptions) => ToolSchemas;

/** Creates the services of one contract; errors about the options name the function `where`. */
export function createContractServices(
  given: ContractOptions,
  schemasFor: SchemasFor,
  where?: string,
): ContractServices {
  const options = resolveOptions(given, where);
  const { maxValuePreview } = options.format;
  const sanitizer = createSanitizer({ maxValuePreview, workspaceRoot: options.workspaceRoot });
  const { guardrails, logger, telemetry, onEscalation } = options;
  const added = guardrails?.events;
  const reporter = createReporter({ logger, telemetry, onEscalation, added, sanitizer });
  const reports = createReports(guardrails, sanitizer, reporter);
  const schemas = schemasFor(options);
  const plans = createToolPlans(options, sanitizer, reporter, reports, schemas);
  const turns = createOpenTurns();
  const { scope, maxAttempts, maxFailures, clock } = options;
  const store = options.store && boundedStore(options.store);
  const reportStore = (result: StoreResult, seconds: number): void =>
    reporter.report({ kind: "stored", result, seconds });

  const trackers = new Map<number, Tracker>();
  function trackerFor(most: number): Tracker {
    const known = trackers.get(most);
    if (known) return known;
    const made = createTracker({
      scope,
      maxAttempts: most,
      clock,
      onOutage: (outage) =>
        outage ? reporter.fault("store", outage.cause) : reporter.restored("store"),
      ...(store && { store: reporter.isTimed ? timedStore(store, reportStore) : store }),
      ...(guardrails && { lanes: guardrails.lanes }),
    });
    trackers.set(most, made);
    return made;
  }

  guardrails?.attach?.(reports);
  if (options.mode === "observe") reporter.report({ kind: "observing" });
  return {
    options,
    limits: limitsOf(maxAttempts, guardrails, maxFailures),
    sanitizer,
    reporter,
    reports,
    onStoreFault: (thrown, toolName) => reporter.fault("store", thrown, toolName),
    tracker: trackerFor(maxAttempts),
    trackerFor,
    planOf: plans.get,
    joinTurn: (context) =>
      context.knowsRun === false
        ? { turnId: turns.newId(), leave: () => undefined }
        : turns.join(context),
    failures: failuresOf(options),
    isFirst: createSeenOnce(),
    journal: options.mode === "observe" ? undefined : createJournal(options),
    newTurnId: turns.newId,
    isExcess: createTurnLimit(options.maxCallsPerTurn),
    checkTools: createTableCheck(guardrails),
  };
}

/** The failures of tools; a stage that counts outcomes does so itself. */
function failuresOf({
  scope,
  maxFailures,
  clock,
  guardrails,
}: ResolvedOptions): ContractServices["failures"] {
  if (maxFailures === 0 || guardrails?.lanes.outcome !== undefined) return undefined;
  const tracker = createTracker({ scope, maxAttempts: maxFailures, clock });
  return createFailures(tracker, maxFailures);
}

/** Shows the stage each table of tools once, and each tool that may be called. */
function createTableCheck(stage: ExecutionStage | undefined): CallServices["checkTools"] {
  if (stage === undefined) return () => undefined;
  const seen = new WeakSet<object>();
  return ({ name }, context) => {
    const { tools, checked } = context;
    if (tools !== undefined && !seen.has(tools)) {
      const names = toolNames(context);
      stage.checkTools?.(names);
      stage.checkCallable?.(names);
      seen.add(tools);
    }
    // The host knows already that the call cannot run; one of no tool is about to be refused.
    if (checked?.status === "invalid" || name === UNKNOWN_TOOL) return;
    stage.checkCallable?.([name]);
  };
}

const MAX_TURNS = 1_000;

/** Counts the calls of each recent turn; a call that is decided on twice counts once. */
function createTurnLimit(limit: number | undefined): ContractServices["isExcess"] {
  if (limit === undefined) return () => false;
  const turns = createRecentMap<string, Set<string>>(MAX_TURNS);
  return (call, { conversationId, turnId, position }) => {
    const key = JSON.stringify([conversationId, turnId]);
    const calls = turns.get(key) ?? new Set();
    turns.set(key, calls);
    const element = elementOf(call, position);
    if (calls.has(element)) return false;
    if (calls.size >= limit) return true;
    calls.add(element);
    return false;
  };
}

/** Tells model turns apart if the host does not name them: calls that overlap in time are one turn. */
interface OpenTurns {
  /** Joins the run's open turn, or opens one. */
  join(run: RunOfCall): TurnShare;
  readonly newId: () => string;
}

/** Creates the register of open turns; it holds a run only while one of its calls is under way. */
function createOpenTurns(): OpenTurns {
  const open = new Map<string, { readonly turnId: string; calls: number }>();
  // Processes that share a store must not use the same turn ids.
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;

  function newId(): string {
    serial += 1;
    return `${prefix}-${serial}`;
  }

  function join({ conversationId, runId }: RunOfCall): TurnShare {
    const run = JSON.stringify([conversationId, runId]);
    const turn = open.get(run) ?? { turnId: newId(), calls: 0 };
    open.set(run, turn);
    turn.calls += 1;
    return {
      turnId: turn.turnId,
      leave() {
        turn.calls -= 1;
        if (turn.calls === 0) open.delete(run);
      },
    };
  }

  return { join, newId };
}
