import type { AskRequest, HostContext } from "@toolcontract/core";
import {
  type OptionTable,
  checkMembers,
  isBoolean,
  isFunction,
  isObject,
  isString,
} from "@toolcontract/core/adapter";
import type { StageLane, StageReports, TypedOutcome } from "@toolcontract/core/stage";
import { type Feedback, feedbackOn, feedbackOnGeneration, verdictOn } from "./feedback.ts";
import { isOutcome } from "./outcome/index.ts";
import { settleGeneration, settleRefusal, settleUncounted } from "./settle.ts";
import type { Attempt, AttemptFailure } from "./shared/index.ts";
import { askingFor, logOf } from "./stage-call.ts";
import { type StageServices, UNDECLARED } from "./stage.ts";
import { type TracedCall, type Trace, openTrace } from "./trace/index.ts";
import {
  type AskedTransaction,
  type FailedTransaction,
  type ToolPolicy,
  type TransactionEnd,
  type TransactionRequest,
  currentAttempt,
  engineFor,
  requestFor,
  transact,
  violatedBy,
} from "./transaction/index.ts";
import { exhausted, outcomeOf } from "./typed-outcomes.ts";

/** What `guardrails.run` resolves to: the tool's value, or how the attempts ended. */
export type RunResult<Value> = RoundsEnd<Value> & {
  /**
   * The attempts that failed, oldest first, for operators: not what a user is shown.
   *
   * @remarks Not enumerable, so JSON and copies do not include it.
   */
  readonly attempt_failures: readonly AttemptFailure[];
};

type RoundsEnd<Value> =
  | {
      readonly status: "ok";
      /** What `execute` returned. */
      readonly value: Value;
    }
  | {
      /** A person must agree first: grant it, and run again with `context: { grants: [grant] }`. */
      readonly status: "ask";
      /** What the person is asked. */
      readonly request: AskRequest;
    }
  | TypedOutcome;

/**
 * A call whose generation and execution the application owns.
 *
 * @example
 * ```ts
 * const options: RunOptions<object, string, number> = {
 *   tool: "price",
 *   generate: () => "42",
 *   execute: (text) => Number(text),
 * };
 * ```
 * @see docs/guardrails.md
 */
export interface RunOptions<State, Args, Value> {
  /** The name under which guardrails, effects and budgets apply. */
  readonly tool: string;
  /** Produces the arguments, or the code; called again with what was wrong after a failed attempt. */
  generate(feedback?: Feedback): Args | Promise<Args>;
  /** Runs what was generated, inside an attempt. */
  execute(args: Args, attempt: Attempt<State>): Value | Promise<Value>;
  /**
   * The provider's id of the call, for telemetry and idempotency keys.
   *
   * @default a random one
   */
  readonly callId?: string;
  /** The conversation of the run, for limits of that scope. */
  readonly conversationId?: string;
  /** What the host knows about who calls, for guardrails and limits. */
  readonly context?: HostContext;
  /** Cancels the run: its reason is thrown. */
  readonly signal?: AbortSignal;
  /**
   * True if the model writes the code that `execute` runs: then bugs in it are repaired too.
   *
   * @default false
   */
  readonly writesCode?: boolean;
}

const RUN_OPTIONS: OptionTable<keyof RunOptions<unknown, unknown, unknown>> = {
  tool: { ...isString, wants: 'a name, such as "add_item"', isRequired: true },
  generate: { ...isFunction, wants: "a function (feedback) => arguments", isRequired: true },
  execute: { ...isFunction, wants: "a function (args, attempt) => value", isRequired: true },
  callId: isString,
  conversationId: isString,
  context: isObject,
  signal: {
    wants: "an AbortSignal, such as controller.signal",
    fits: (value) => value instanceof AbortSignal,
  },
  writesCode: isBoolean,
};

/** What a run needs of the guardrails. */
export interface RunServices extends Omit<StageServices, "checkNames"> {
  readonly budgets: Readonly<Record<StageLane, number>>;
}

type Failures = Record<StageLane, number>;

/** Generates, checks and executes until an attempt succeeds or a budget is spent. */
export async function runLoop<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  services: RunServices,
): Promise<RunResult<Value>> {
  checkMembers("guardrails.run", Object(options) as object, RUN_OPTIONS);
  const { tool, signal, callId = globalThis.crypto.randomUUID() } = options;
  const reports = services.listeners.reports();
  services.checkCommit([tool]);
  const policy = services.policyOf(tool);
  if (!policy.isDeclared) services.noteOnce(UNDECLARED, tool, reports);
  const loop: Loop = {
    services,
    reports,
    policy,
    tool,
    failures: { generation: 0, guardrail: 0, outcome: 0 },
  };
  let feedback: Feedback | undefined;
  try {
    for (let number = 1; ; number += 1) {
      signal?.throwIfAborted();
      const identity = { tool, callId, conversationId: callId, turnId: String(number) };
      const round = openRound(loop, identity, number);
      const end = await runRound(options, feedback, round);
      if ("status" in end) return withFailures(end, round.trace);
      ({ feedback } = end);
    }
  } finally {
    services.sequences.end({ tool, callId, conversationId: callId });
  }
}

/** What the rounds of one run share. */
interface Loop {
  readonly services: RunServices;
  readonly reports: StageReports;
  readonly policy: ToolPolicy;
  readonly tool: string;
  readonly failures: Failures;
}

interface Round extends Loop {
  readonly identity: TracedCall;
  readonly trace: Trace;
  readonly number: number;
}

function openRound(loop: Loop, identity: TracedCall, number: number): Round {
  const { failures, reports, services } = loop;
  const numbers = { number, guardrail: failures.guardrail + 1, outcome: failures.outcome + 1 };
  return { ...loop, identity, number, trace: openTrace(identity, numbers, reports, services) };
}

/** Generates and runs once: how the run ends, or what to say to the next generation. */
async function runRound<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  feedback: Feedback | undefined,
  round: Round,
): Promise<RoundsEnd<Value> | { readonly feedback: Feedback | undefined }> {
  const generated = await generateArguments(options, feedback);
  if ("thrown" in generated) {
    options.signal?.throwIfAborted();
    return settleThrown(generated.thrown, round);
  }
  round.trace.generated();
  const request = requestOf(options, generated.args, round);
  const end = await transact(request, engineFor(round.services.engine, request.spender));
  if (end.kind === "asked") return askedIn(end, request, round.services);
  return settleRound<Value>(end, round);
}

/** Counts a generation that threw: not one of an attempt, and not of another lane. */
function settleThrown(
  thrown: unknown,
  { services, reports, failures, trace, number, tool }: Round,
): TypedOutcome | { readonly feedback: Feedback } {
  const budget = services.budgets.generation;
  failures.generation += 1;
  const numbers = {
    attempt_number: number,
    remaining_budget: budget - failures.generation + 1,
  };
  const feedback = feedbackOnGeneration(thrown, numbers, reports);
  const isSpent = failures.generation > budget;
  const outcome = isSpent
    ? exhausted("generation", tool, {
        generation_retry_attempts: budget,
        last_error_type: feedback.violation_type,
      })
    : undefined;
  settleGeneration(trace, feedback, outcome);
  return outcome ?? { feedback };
}

async function generateArguments<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  feedback: Feedback | undefined,
): Promise<{ readonly args: Args } | { readonly thrown: unknown }> {
  try {
    return { args: await options.generate(feedback) };
  } catch (thrown) {
    return { thrown };
  }
}

function requestOf<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  args: Args,
  { identity, policy, trace, reports, failures, services }: Round,
): TransactionRequest {
  const { signal, writesCode = false, conversationId, context } = options;
  const spender = { conversationId, runId: identity.callId, context };
  return {
    ...identity,
    args,
    policy,
    before: policy.validate,
    trace,
    guardrailAttempt: failures.guardrail + 1,
    ...askingFor(spender, services.engine),
    signal,
    run: () => options.execute(args, currentAttempt<State>()),
    runsOnce: false,
    noteKey: () => undefined,
    repairsBugs: writesCode,
    sanitize: reports.sanitize.bind(reports),
    log: logOf(identity.tool, reports),
  };
}

/** A person must agree: the run ends, and begins again with a grant. */
function askedIn(
  { found }: AskedTransaction,
  call: TransactionRequest,
  { engine }: Pick<StageServices, "engine">,
): RoundsEnd<never> {
  const request = requestFor(call, found, engine.grants);
  if (request) return { status: "ask", request };
  return outcomeOf(call.tool, violatedBy(found), 1);
}

/** What the run resolves to if this attempt ends it, or what to say to the next generation. */
function settleRound<Value>(
  end: Exclude<TransactionEnd, AskedTransaction>,
  round: Round,
): RoundsEnd<Value> | { readonly feedback: Feedback } {
  const { tool, failures, trace, reports } = round;
  const { lanes } = round.services;
  switch (end.kind) {
    case "succeeded":
      if (end.withheld) return withheldIn(end.withheld, reports);
      return { status: "ok", value: end.value as Value };
    case "refused": {
      failures[end.lane] += 1;
      const attempt = failures[end.lane];
      settleRefusal(tool, trace, end, attempt, lanes[end.lane]);
      if (end.closes !== undefined || attempt >= lanes[end.lane]) {
        return outcomeOf(tool, end, attempt);
      }
      const numbers = { attempt_number: round.number, remaining_budget: lanes[end.lane] - attempt };
      return { feedback: { ...feedbackOn(end, numbers, reports), ...verdictOn(end) } };
    }
    case "failed":
      settleUncounted(trace, end);
      return outcomeOfFailure(end, tool, reports);
    case "threw":
      settleUncounted(trace, end);
      throw end.error;
  }
}

/** Says which attempts have failed, where JSON and copies do not repeat it. */
function withFailures<Value>(end: RoundsEnd<Value>, trace: Trace): RunResult<Value> {
  const failures = { value: Object.freeze(trace.failures()) };
  return Object.defineProperty(end, "attempt_failures", failures) as RunResult<Value>;
}

/** The tool succeeded, and an output guardrail has withheld its value. */
function withheldIn(
  { type, why }: { readonly type: string; readonly why: string },
  reports: StageReports,
): TypedOutcome {
  return {
    status: "error",
    error_type: type,
    error_message: reports.sanitize(why),
    retriable: false,
    metadata: { executed: true },
  };
}

/** A failure that no other generation repairs: the tool's own outcome, or one in its place. */
function outcomeOfFailure(
  { value, message, type, failure }: FailedTransaction,
  tool: string,
  reports: StageReports,
): TypedOutcome {
  const own = isOutcome(value) && value.status === "error" ? value : undefined;
  return {
    status: "error",
    error_type: type,
    error_message: message === undefined ? `The tool failed: ${tool}` : reports.sanitize(message),
    retriable: own?.retriable ?? false,
    metadata: { ...own?.metadata, ...retryAfter(failure?.retryAfterMs) },
  };
}

/** Kept for the application, which may try the same call again; the model is not asked to. */
function retryAfter(milliseconds: number | undefined): TypedOutcome["metadata"] {
  return milliseconds === undefined ? {} : { retry_after_ms: milliseconds };
}
