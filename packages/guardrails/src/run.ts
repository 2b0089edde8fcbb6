import { ToolContractError, type StageReports, type TypedOutcome } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import {
  type AttemptEnd,
  type AttemptRequest,
  type Engine,
  type ToolPolicy,
  type Trace,
  type TraceServices,
  currentAttempt,
  openTrace,
  performAttempt,
} from "./attempt/index.ts";
import type { Attempt } from "./shared/index.ts";
import { failureMessage } from "./outcome/index.ts";
import { settleRefusal, settleUncounted } from "./settle.ts";
import { log, reportsOf } from "./stage.ts";
import { exhausted, outcomeOf } from "./typed-outcomes.ts";

/**
 * What the next generation is told about the failed attempt.
 *
 * Source: the guardrail recovery ADR, "Structured Recovery Feedback Contract".
 */
export interface Feedback {
  /** The guardrail's name, the type of the outcome, or the class of what `generate` threw. */
  readonly violation_type: string;
  /** What is wrong, without secrets. */
  readonly violation_message: string;
  /** Where, as a JSON Pointer into the arguments, if it is known. */
  readonly violation_location?: string;
  /** What to do instead; it names the mechanism, not the answer. */
  readonly required_correction: string;
  /** The number of the attempt that failed, from 1. */
  readonly attempt_number: number;
  /** How many more attempts the lane of the failure allows. */
  readonly remaining_budget: number;
}

/** What `guardrails.run` resolves to: the tool's value, or how the attempts ended. */
export type RunResult<Value> =
  | {
      readonly status: "ok";
      /** What `execute` returned. */
      readonly value: Value;
    }
  | TypedOutcome;

/** A call whose generation and execution the application owns. */
export interface RunOptions<State, Args, Value> {
  /** The name under which guardrails, effects and budgets apply. */
  readonly tool: string;
  /** Produces the arguments, or the code; called again with what was wrong after a failed attempt. */
  generate(feedback?: Feedback): Args | Promise<Args>;
  /** Runs what was generated, inside an attempt. */
  execute(args: Args, attempt: Attempt<State>): Value | Promise<Value>;
  /** The provider's id of the call, for telemetry and idempotency keys; a random one by default. */
  readonly callId?: string;
  /** Cancels the run: its reason is thrown. */
  readonly signal?: AbortSignal;
  /** True if the model writes the code that `execute` runs: then bugs in it are repaired too. */
  readonly writesCode?: boolean;
}

/** What a run needs of the guardrails. */
export interface RunServices extends TraceServices {
  readonly engine: Engine;
  readonly policyOf: (tool: string) => ToolPolicy;
  readonly budgets: Readonly<Record<"generation" | "guardrail" | "outcome", number>>;
  readonly reports: () => StageReports;
  readonly noteUndeclared: (tool: string, policy: ToolPolicy, reports: StageReports) => void;
}

type Failures = Record<"generation" | "guardrail" | "outcome", number>;

/** Generates, checks and executes until an attempt succeeds or a budget is spent. */
export async function runLoop<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  services: RunServices,
): Promise<RunResult<Value>> {
  checkOptions(options);
  const { tool, signal } = options;
  const { budgets, sequences, lanes } = { ...services, lanes: lanesOf(services.budgets) };
  const failures: Failures = { generation: 0, guardrail: 0, outcome: 0 };
  const callId = options.callId ?? globalThis.crypto.randomUUID();
  const reports = services.reports();
  const policy = services.policyOf(tool);
  services.noteUndeclared(tool, policy, reports);
  let feedback: Feedback | undefined;
  for (let number = 1; ; number += 1) {
    signal?.throwIfAborted();
    const place = { tool, callId, conversationId: callId, turnId: String(number) };
    const trace = openTrace(place, number, reportsOf(reports), services);
    const generated = await generate(options, feedback);
    if ("thrown" in generated) {
      signal?.throwIfAborted();
      failures.generation += 1;
      const type = errorClass(generated.thrown);
      const message = reports.sanitize(failureMessage(generated.thrown));
      if (failures.generation > budgets.generation) {
        sequences.end(place);
        const attempts = { generation_retry_attempts: budgets.generation, last_error_type: type };
        return exhausted("generation", tool, attempts);
      }
      feedback = {
        violation_type: type,
        violation_message: message,
        required_correction: "Generate it again so that it can be read.",
        attempt_number: number,
        remaining_budget: budgets.generation - failures.generation + 1,
      };
      continue;
    }
    trace.generated();
    const request = requestOf(options, generated.args, { place, policy, trace, number, reports });
    const end = await performAttempt(
      { ...request, guardrailAttempt: failures.guardrail + 1 },
      services.engine,
    );
    const settled = settle<Value>(end, trace, { tool, failures, lanes });
    if (settled) {
      sequences.end(place);
      return settled;
    }
    if (end.kind === "refused") feedback = feedbackOf(end, { number, failures, budgets, reports });
  }
}

function lanesOf({
  guardrail,
  outcome,
}: RunServices["budgets"]): Readonly<Record<"guardrail" | "outcome", number>> {
  return { guardrail: guardrail + 1, outcome: outcome + 1 };
}

async function generate<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  feedback: Feedback | undefined,
): Promise<{ readonly args: Args } | { readonly thrown: unknown }> {
  try {
    return { args: await options.generate(feedback) };
  } catch (thrown) {
    return { thrown };
  }
}

interface Round {
  readonly place: Pick<AttemptRequest, "tool" | "callId" | "conversationId" | "turnId">;
  readonly policy: ToolPolicy;
  readonly trace: Trace;
  readonly number: number;
  readonly reports: StageReports;
}

function requestOf<State, Args, Value>(
  options: RunOptions<State, Args, Value>,
  args: Args,
  { place, policy, trace, number, reports }: Round,
): Omit<AttemptRequest, "guardrailAttempt"> {
  const { signal, writesCode = false } = options;
  return {
    ...place,
    args,
    policy,
    before: policy.validate,
    trace,
    number,
    signal,
    run: () => options.execute(args, currentAttempt<State>()),
    runsOnce: false,
    repairsBugs: writesCode,
    log: (message, fields) => log(reports, message, { tool_name: place.tool, ...fields }),
  };
}

/** What the run resolves to, if this attempt ends it. */
function settle<Value>(
  end: AttemptEnd,
  trace: Trace,
  facts: {
    readonly tool: string;
    readonly failures: Failures;
    readonly lanes: Readonly<Record<"guardrail" | "outcome", number>>;
  },
): RunResult<Value> | undefined {
  const { tool, failures, lanes } = facts;
  switch (end.kind) {
    case "succeeded":
      return { status: "ok", value: end.value as Value };
    case "refused": {
      failures[end.lane] += 1;
      const attempt = failures[end.lane];
      settleRefusal(tool, trace, end, attempt, lanes[end.lane]);
      const isOver = end.closes !== undefined || attempt >= lanes[end.lane];
      return isOver ? outcomeOf(tool, end, attempt) : undefined;
    }
    case "failed":
      settleUncounted(trace, end);
      return {
        status: "error",
        error_type: end.type,
        error_message: end.message ?? `The tool failed: ${tool}`,
        retriable: false,
        metadata: { ...metadataOf(end.value), ...retryAfter(end.failure?.retryAfterMs) },
      };
    case "threw":
      settleUncounted(trace, end);
      throw end.error;
  }
}

/** Kept for the application, which may try the same call again; the model is not asked to. */
function retryAfter(milliseconds: number | undefined): TypedOutcome["metadata"] {
  return milliseconds === undefined ? {} : { retry_after_ms: milliseconds };
}

function metadataOf(value: unknown): TypedOutcome["metadata"] {
  const { metadata } = Object(value) as { readonly metadata?: unknown };
  return typeof metadata === "object" && metadata !== null
    ? (metadata as TypedOutcome["metadata"])
    : {};
}

function feedbackOf(
  { found, lane, type }: Extract<AttemptEnd, { readonly kind: "refused" }>,
  facts: {
    readonly number: number;
    readonly failures: Failures;
    readonly budgets: RunServices["budgets"];
    readonly reports: StageReports;
  },
): Feedback {
  const { number, failures, budgets, reports } = facts;
  const [first] = found;
  const messages = found.map(({ message }) => reports.sanitize(message));
  const corrections = found.flatMap(({ correction = [] }) => correction);
  const another =
    lane === "guardrail"
      ? "Change it so that the guardrail passes."
      : "Try another way: this one failed.";
  return {
    violation_type: type,
    violation_message: messages.join("; "),
    ...(first?.location !== undefined && { violation_location: first.location }),
    required_correction:
      corrections.length > 0 ? reports.sanitize(corrections.join("; ")) : another,
    attempt_number: number,
    remaining_budget: budgets[lane] - failures[lane] + 1,
  };
}

function checkOptions(options: unknown): void {
  const { tool, generate: produce, execute } = Object(options) as Readonly<Record<string, unknown>>;
  const fail = (what: string): never => {
    throw new ToolContractError(`guardrails.run: ${what}.`);
  };
  if (typeof tool !== "string" || tool === "") fail('`tool` must be a name, such as "add_item"');
  if (typeof produce !== "function") fail("`generate` must be a function (feedback) => arguments");
  if (typeof execute !== "function") fail("`execute` must be a function (args, attempt) => value");
}
