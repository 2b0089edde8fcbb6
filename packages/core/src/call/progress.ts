import {
  type AttemptCount,
  type AttemptKey,
  type Tracker,
  UNKNOWN_TOOL,
  appendAttempt,
  findRepeat,
} from "../attempts/index.ts";
import type { Escalation, FormatOptions } from "../message/index.ts";
import type { CallOutcome, Faults, RecoveredCall } from "../observe/index.ts";
import type { Redactor, Sanitizer } from "../sanitize/index.ts";
import type { SchemaEngine } from "../schema/index.ts";
import type { ToolPlan } from "./validate.ts";
import {
  type AttemptRecord,
  type ExecutionStage,
  type Formatter,
  LANES,
  type Lane,
  type MaybePromise,
  type Rule,
  type StageLane,
  type StageReports,
  type ToolCall,
  type ToolDefinition,
  type TypedOutcome,
  all,
  chain,
  isPromiseLike,
} from "../shared/index.ts";
import type { CallContext } from "./context.ts";

/** The options needed to decide a call, with every default filled in. */
export interface CallOptions extends SchemaEngine {
  readonly maxAttempts: number;
  readonly format: FormatOptions;
  readonly unknownFields: "schema" | "warn" | "reject";
  readonly repairJson: boolean;
  readonly closeDangling: boolean;
  readonly unwrapStrings: boolean;
  readonly rules: Readonly<Record<string, readonly Rule<never>[]>>;
  readonly formatters: Readonly<Record<string, Formatter>>;
  readonly redact: readonly Redactor[];
  readonly onBlocked: "forgive" | "refuse";
  readonly maxCallsPerTurn?: number | undefined;
  /** The stage around execution. */
  readonly guardrails?: ExecutionStage | undefined;
  readonly clock: () => number;
  readonly onEscalation?: ((escalation: Escalation) => unknown) | undefined;
  readonly reportAdvisories: boolean;
}

/** What the stages of one contract share. */
export interface CallServices {
  readonly options: CallOptions;
  readonly sanitizer: Sanitizer;
  readonly faults: Faults;
  /** What the stage reports with. */
  readonly reports: StageReports;
  readonly tracker: Tracker;
  /** Records a decided call in memory and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** Counts a turn in which a call of the tool succeeded after failed attempts. */
  recovered(call: RecoveredCall): void;
  /** The time at which a decision begins, by `performance.now()`; undefined without telemetry. */
  startTime(): number | undefined;
  /** Everything that checking a call of this tool needs. */
  readonly planOf: (tool: ToolDefinition) => ToolPlan;
  /** Shows the stage the called tool, and the host's table of tools if the context has one. */
  readonly checkTools: (tool: ToolDefinition, context: CallContext) => void;
  /** Returns true the first time it sees a key. */
  readonly isFirst: (key: string) => boolean;
}

/** The name under which a call is counted and logged. */
export function countedName(tool: ToolDefinition | undefined): string {
  return tool?.name ?? UNKNOWN_TOOL;
}

/** A call being decided. */
export interface CallInProgress {
  readonly call: ToolCall;
  /** The called tool; undefined if the host has none of that name. */
  readonly tool: ToolDefinition | undefined;
  readonly context: CallContext & { readonly turnId: string };
  readonly services: CallServices;
  /** When the decision began; undefined without telemetry. */
  readonly startedAt: number | undefined;
}

/** How many attempts a tool has in a lane. */
export function attemptsIn(lane: Lane, { maxAttempts, guardrails }: CallOptions): number {
  return lane === "validation" ? maxAttempts : (guardrails?.lanes[lane] ?? maxAttempts);
}

/** The lanes that the contract's stage counts in. */
export function stageLanes({ guardrails }: CallOptions): readonly StageLane[] {
  if (!guardrails) return [];
  const known = lanesOfStages.get(guardrails);
  if (known) return known;
  const lanes = LANES.filter((lane) => lane !== "validation");
  const counted = lanes.filter((lane) => lane in guardrails.lanes);
  lanesOfStages.set(guardrails, counted);
  return counted;
}

const lanesOfStages = new WeakMap<ExecutionStage, readonly StageLane[]>();

function lanesOf(options: CallOptions): readonly Lane[] {
  return ["validation", ...stageLanes(options)];
}

/** The key under which a call's attempts in a lane are counted. */
function attemptKey({ tool, context }: CallInProgress, lane: Lane): AttemptKey {
  return { conversationId: context.conversationId, toolName: countedName(tool), lane };
}

/** Runs an attempt store task; its error is reported and never fails the call. */
function orUndefined<T>(
  progress: CallInProgress,
  task: () => MaybePromise<T>,
): MaybePromise<T | undefined> {
  const fail = (thrown: unknown): undefined => {
    progress.services.faults.report("store", thrown, countedName(progress.tool));
    return undefined;
  };
  try {
    const answer = task();
    return isPromiseLike(answer) ? answer.then((value) => value, fail) : answer;
  } catch (thrown) {
    return fail(thrown);
  }
}

/** A failed call, before it is counted. */
export interface Failure extends Omit<AttemptRecord, "attempt"> {
  readonly lane: Lane;
  /** True if the tool is closed at once, however many attempts are left. */
  readonly closes: boolean;
  /** The typed outcome if this attempt closes the tool. */
  readonly outcomeOf?: ((attempt: number) => TypedOutcome | undefined) | undefined;
}

/** A failed call's place among its tool's attempts. */
export interface CountedFailure {
  /** Its number, starting at 1. */
  readonly attempt: number;
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

/** The host's count of a lane, if it counts; what it does not mention has not failed. */
function hostCount(
  { context: { attempts } }: CallInProgress,
  lane: Lane,
): AttemptCount | undefined {
  if (!attempts || lane === "validation") return attempts;
  return attempts.lanes?.[lane] ?? { failed: 0, history: [], complete: true, blocked: false };
}

/** Counts a failed call: from the host's history if given, else in the tracker. */
export async function countFailure(
  progress: CallInProgress,
  failure: Failure,
): Promise<CountedFailure> {
  const { context, services } = progress;
  const { lane, ...counting } = failure;
  const { outcomeOf, closes, ...record } = counting;
  const maxAttempts = attemptsIn(lane, services.options);
  const attempts = hostCount(progress, lane);
  if (attempts) {
    const before = attempts.blocked ? maxAttempts : attempts.failed;
    const counted = countFrom(before + 1, attempts.history, record, maxAttempts, closes);
    const isSpent = counted.closed && !counted.settled;
    const outcome = attempts.outcome ?? (isSpent ? outcomeOf?.(counted.attempt) : undefined);
    const ended = outcome ? { ...counted, outcome } : counted;
    return isSpent ? { ...ended, announced: !services.isFirst(turnKey(progress, lane)) } : ended;
  }
  const blocked = progress.tool === undefined ? await blockedBefore(progress) : undefined;
  if (blocked) return blocked;
  const counted = await orUndefined(progress, async () => {
    const { tracker } = services;
    const status = await tracker.recordFailure(attemptKey(progress, lane), {
      ...context,
      ...counting,
    });
    for (const other of lanesOf(services.options)) {
      if (other !== lane) await tracker.recordElsewhere(attemptKey(progress, other), context);
    }
    return { announced: false, ...status, closed: status.status === "blocked" };
  });
  // If the store fails, every failure counts as the first.
  return counted ?? countFrom(1, [], record, maxAttempts, closes);
}

/** Parallel calls of one turn escalate once, even if the host counts and does not know the siblings. */
function turnKey({ context, tool }: CallInProgress, lane: Lane): string {
  return JSON.stringify([context.conversationId, countedName(tool), context.turnId, lane]);
}

/** A tool dropped after it was blocked is now unknown, but keeps its count. */
async function blockedBefore(progress: CallInProgress): Promise<CountedFailure | undefined> {
  const { call, context, services } = progress;
  const key = { conversationId: context.conversationId, toolName: call.name };
  const standing = await orUndefined(progress, () => services.tracker.status(key, context));
  if (standing?.settled !== true) return undefined;
  return { ...standing, closed: true, announced: true };
}

/** Counts a failure whose number the host knows; above `maxAttempts`, the tool was blocked before. */
export function countFrom(
  number: number,
  earlier: readonly AttemptRecord[],
  failure: Omit<AttemptRecord, "attempt">,
  maxAttempts: number,
  closes: boolean = false,
): CountedFailure {
  const settled = number > maxAttempts;
  const attempt = Math.min(number, maxAttempts);
  const repeats = findRepeat(earlier, failure.argumentsHash);
  return {
    attempt,
    closed: closes || attempt === maxAttempts,
    settled,
    announced: settled,
    history: settled ? earlier : appendAttempt(earlier, { ...failure, attempt }),
    ...(repeats !== undefined && { repeats }),
  };
}

/** Records that a call is valid in a lane, which may reset the tool's count; returns the number of its attempt. */
export function countValid(progress: CallInProgress, lane: Lane): MaybePromise<number> {
  const { context, services } = progress;
  const attempts = hostCount(progress, lane);
  if (attempts) return attempts.failed + 1;
  const standing = orUndefined(progress, () =>
    services.tracker.recordValid(attemptKey(progress, lane), context),
  );
  return chain(standing, (known) => known?.turnAttempt ?? 1);
}

/** The number of the attempt that a call makes in a lane. */
export function attemptNumber(progress: CallInProgress, lane: Lane): MaybePromise<number> {
  const { context, services } = progress;
  const attempts = hostCount(progress, lane);
  if (attempts) return attempts.failed + 1;
  const standing = orUndefined(progress, () =>
    services.tracker.status(attemptKey(progress, lane), context),
  );
  return chain(standing, (known) => known?.turnAttempt ?? 1);
}

/** Whether the tool's attempts with invalid arguments were spent before the call's turn. */
export async function isBlocked(progress: CallInProgress): Promise<boolean> {
  const { context, services } = progress;
  if (context.attempts) {
    return context.attempts.blocked || context.attempts.failed >= services.options.maxAttempts;
  }
  const standing = await orUndefined(progress, () =>
    services.tracker.status(attemptKey(progress, "validation"), context),
  );
  return standing?.settled === true;
}

/** How a lane of the stage was closed before the call's turn. */
export interface ClosedLane extends CountedFailure {
  readonly lane: Lane;
}

const CLOSED = { closed: true, settled: true, announced: true } as const;

/** Whether a lane other than validation may have closed the tool; most calls need not wait to find out. */
export function mayBeClosed({ context, services }: CallInProgress): boolean {
  const { attempts } = context;
  return attempts ? attempts.closedBy !== undefined : services.options.guardrails !== undefined;
}

/** The lane other than validation that closed the tool for this run, if one did. */
export function closedLane(progress: CallInProgress): MaybePromise<ClosedLane | undefined> {
  const { call, context, services } = progress;
  const { attempts } = context;
  if (attempts) {
    const { closedBy: lane } = attempts;
    const count = lane && hostCount(progress, lane);
    return lane && count && { ...count, ...CLOSED, lane, attempt: count.failed };
  }
  // A tool that was dropped because it was closed is unknown now, but keeps its count.
  const toolName = progress.tool?.name ?? call.name;
  const lanes = stageLanes(services.options);
  const standings = lanes.map((lane) => {
    const key = { conversationId: context.conversationId, toolName, lane };
    return orUndefined(progress, () => services.tracker.status(key, context));
  });
  return chain(all(standings), (known) => {
    const index = known.findIndex((standing) => standing?.settled === true);
    const [lane, standing] = [lanes[index], known[index]];
    return lane && standing && { ...standing, ...CLOSED, lane };
  });
}
