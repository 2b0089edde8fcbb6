import {
  type AttemptKey,
  type RetryTracker,
  UNKNOWN_TOOL,
  appendAttempt,
  findRepeat,
} from "../attempts/index.ts";
import type { Escalation, FormatOptions } from "../message/index.ts";
import type { CallOutcome, Faults } from "../observe/index.ts";
import type { Redactor, Sanitizer } from "../sanitize/index.ts";
import type { SchemaEngine } from "../schema/index.ts";
import type { ToolPlan } from "./validate.ts";
import type { AttemptRecord, Formatter, Rule, ToolCall, ToolDefinition } from "../shared/index.ts";
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
  readonly onEscalation?: ((escalation: Escalation) => unknown) | undefined;
  readonly reportAdvisories: boolean;
}

/** What the stages of one contract share. */
export interface CallServices {
  readonly options: CallOptions;
  readonly sanitizer: Sanitizer;
  readonly faults: Faults;
  readonly tracker: RetryTracker;
  /** Records a decided call in memory and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** Everything that checking a call of this tool needs. */
  readonly planOf: (tool: ToolDefinition) => ToolPlan;
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
}

/** The key under which a call's attempts are counted. */
function attemptKey({ tool, context }: CallInProgress): AttemptKey {
  return { conversationId: context.conversationId, toolName: countedName(tool) };
}

/** Runs an attempt store task; its error is reported and never fails the call. */
async function orUndefined<T>(
  progress: CallInProgress,
  task: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (thrown) {
    progress.services.faults.report("store", thrown, countedName(progress.tool));
    return undefined;
  }
}

/** A rejected call's place among its tool's attempts. */
export interface CountedFailure {
  /** Its number, starting at 1. */
  readonly attempt: number;
  /** True if the tool was blocked before this call's turn. */
  readonly settled: boolean;
  /** True if an earlier or parallel call was already escalated. */
  readonly announced: boolean;
  /** The earlier attempt that had the same arguments, if any. */
  readonly repeats?: number;
  /** All attempts, this one last. */
  readonly history: readonly AttemptRecord[];
}

/** Counts a rejected call: from the host's history if given, else in the tracker. */
export async function countFailure(
  progress: CallInProgress,
  failure: Omit<AttemptRecord, "attempt">,
): Promise<CountedFailure> {
  const { context, services } = progress;
  const { maxAttempts } = services.options;
  const { attempts } = context;
  if (attempts) {
    const before = attempts.blocked ? maxAttempts : attempts.failed;
    const counted = countFrom(before + 1, attempts.history, failure, maxAttempts);
    const spent = counted.attempt >= maxAttempts && !counted.settled;
    return spent ? { ...counted, announced: !services.isFirst(turnKey(progress)) } : counted;
  }
  const blocked = progress.tool === undefined ? await blockedBefore(progress) : undefined;
  if (blocked) return blocked;
  const counted = await orUndefined(progress, async () =>
    services.tracker.recordFailure(attemptKey(progress), { ...context, ...failure }),
  );
  // If the store fails, every failure counts as the first.
  return counted ? { announced: false, ...counted } : countFrom(1, [], failure, maxAttempts);
}

/** Parallel calls of one turn escalate once, even if the host counts and does not know the siblings. */
function turnKey({ context, tool }: CallInProgress): string {
  return JSON.stringify([context.conversationId, countedName(tool), context.turnId]);
}

/** A tool dropped after it was blocked is now unknown, but keeps its count. */
async function blockedBefore(progress: CallInProgress): Promise<CountedFailure | undefined> {
  const { call, context, services } = progress;
  const key = { conversationId: context.conversationId, toolName: call.name };
  const standing = await orUndefined(progress, async () => services.tracker.status(key, context));
  if (standing?.settled !== true) return undefined;
  return { ...standing, settled: true, announced: true };
}

/** Counts a failure whose number the host knows; above `maxAttempts`, the tool was blocked before. */
export function countFrom(
  number: number,
  earlier: readonly AttemptRecord[],
  failure: Omit<AttemptRecord, "attempt">,
  maxAttempts: number,
): CountedFailure {
  const settled = number > maxAttempts;
  const attempt = Math.min(number, maxAttempts);
  const repeats = findRepeat(earlier, failure.argumentsHash);
  return {
    attempt,
    settled,
    announced: settled,
    history: settled ? earlier : appendAttempt(earlier, { ...failure, attempt }),
    ...(repeats !== undefined && { repeats }),
  };
}

/** Records a valid call, which may reset the tool's count. */
export async function countValid(progress: CallInProgress): Promise<void> {
  const { context, services } = progress;
  if (context.attempts) return;
  await orUndefined(progress, async () =>
    services.tracker.recordValid(attemptKey(progress), context),
  );
}

/** Whether the tool was blocked before the call's turn. */
export async function isBlocked(progress: CallInProgress): Promise<boolean> {
  const { context, services } = progress;
  if (context.attempts) {
    return context.attempts.blocked || context.attempts.failed >= services.options.maxAttempts;
  }
  const standing = await orUndefined(progress, async () =>
    services.tracker.status(attemptKey(progress), context),
  );
  return standing?.settled === true;
}
