import { ToolContractError } from "@toolcontract/core";
import { errorClass, isPromiseLike } from "@toolcontract/core/adapter";
import { type Failure, classifyFailure, isFailedResult, isOutcome } from "../outcome/index.ts";
import type { Classification, Effect } from "../shared/index.ts";
import { UncopyableStateError } from "../state/index.ts";
import { type Found, foundBy, runChecks } from "./checks.ts";
import { runWithin } from "./current.ts";
import {
  type AttemptEnd,
  type Refused,
  failedIn,
  notCommitted,
  toolFailed,
  undoneOf,
  unknownOutcome,
  violatedBy,
} from "./ends.ts";
import type { LiveAttempt, Rollback } from "./live-attempt.ts";
import { type AttemptRequest, type Engine, factsOf } from "./request.ts";
import { isTimeLimit, within } from "./time-limit.ts";

/** What a run came to before its commit: a value that the guardrails accept, or the end of the attempt. */
export type Ran =
  | { readonly kind: "ran"; readonly value: unknown }
  | { readonly kind: "ended"; readonly end: AttemptEnd };

/** Runs the tool, classifies what came of it, and asks the commit guardrails; whatever goes wrong, it is undone. */
export async function runAndJudge(
  live: LiveAttempt,
  request: AttemptRequest,
  engine: Engine,
): Promise<Ran> {
  try {
    return await judged(live, request, engine);
  } catch (error) {
    return { kind: "ended", end: { kind: "threw", error, rollback: await live.rollback() } };
  }
}

async function judged(live: LiveAttempt, request: AttemptRequest, engine: Engine): Promise<Ran> {
  const { policy } = request;
  const ran = await runTool(live, request, engine);
  if ("end" in ran) return { kind: "ended", end: ran.end };
  const { value } = ran;
  let state: unknown;
  let touched: readonly string[];
  try {
    change(live, value, request);
    state = live.seal() ?? engine.store?.state;
    touched = live.staged?.touched() ?? [];
  } catch (thrown) {
    return { kind: "ended", end: await uncommitted(live, thrown, request) };
  }
  // A tool that cannot be undone was judged by its rehearsal.
  const isJudged = policy.effect !== "irreversible" || live.attempt.dryRun;
  if (!isJudged || policy.commit.length === 0) return { kind: "ran", value };
  const facts = factsOf(request, engine.limits, { state: () => state, touched, result: value });
  const found = await runChecks(policy.commit, facts);
  if (found.length === 0) return { kind: "ran", value };
  return { kind: "ended", end: await violatedAfter(found, live, request) };
}

/** Undoes what a call did that guardrails found wrong. */
async function violatedAfter(
  found: readonly Found[],
  live: LiveAttempt,
  { trace, policy }: AttemptRequest,
): Promise<Refused> {
  const { dryRun } = live.attempt;
  if (!dryRun) trace.executed(false);
  const rollback = await live.rollback();
  return violatedBy(found, rollback, dryRun ? undefined : undoneOf(rollback, policy.effect));
}

/** Applies what a call does to the state if its tool cannot, and registers what undoes it. */
function change({ staged, attempt }: LiveAttempt, result: unknown, request: AttemptRequest): void {
  const { policy, tool, args, callTool } = request;
  const { stateChange, compensation } = policy;
  if (stateChange && staged) {
    stateChange({
      tool,
      args: args as never,
      result: result as never,
      state: staged.state as never,
    });
  }
  if (!compensation || attempt.dryRun) return;
  attempt.onRollback(async () => {
    const { idempotencyKey: key } = attempt;
    const performed = { tool, args: args as never, result: result as never, idempotencyKey: key };
    const inverse = await compensation(performed);
    if (!inverse) return;
    if (!callTool)
      throw new ToolContractError("The host cannot make the call that undoes this one.");
    const undone = await callTool(inverse.name, inverse.arguments);
    if (isFailedResult(undone)) throw new Error("The call that undoes this one failed.");
  });
}

async function runTool(
  live: LiveAttempt,
  request: AttemptRequest,
  engine: Engine,
): Promise<{ readonly value: unknown } | { readonly end: AttemptEnd }> {
  const { access } = request.policy;
  // Without locks nobody waits for the tool; one that gets them while it runs is then told by its own signal.
  const isAwaited = access === "locked" || access === "optimistic";
  const limit = isAwaited ? engine.limits.tool : undefined;
  const signal = access === "unlocked" ? live.attempt.signal : request.signal;
  try {
    const running = live.run(() => runWithin(live, request.run));
    const returned = isPromiseLike(running) ? await within(running, limit, signal) : running;
    if (isOutcome(returned) && returned.status === "ok") return { value: returned.value };
    if (!isFailedResult(returned)) return { value: returned };
    return { end: await failedBy(returned, false, live, request, engine) };
  } catch (thrown) {
    if (isTimeLimit(thrown)) live.abandon(thrown);
    return { end: await failedBy(thrown, true, live, request, engine) };
  }
}

async function failedBy(
  error: unknown,
  thrown: boolean,
  live: LiveAttempt,
  request: AttemptRequest,
  { classify }: Engine,
): Promise<AttemptEnd> {
  const { tool, args, signal, policy, log } = request;
  const failure = classifyFailure(error, { tool, args, thrown }, { classify, signal });
  if (failure.kind === "violation") return violatedAfter(foundBy(failure.violation), live, request);
  if (!live.attempt.dryRun) request.trace.executed(false);
  const rollback = await live.rollback();
  if (failure.kind === "control-flow") return { kind: "threw", error, rollback };
  if (failure.fault !== undefined) log("classify() was not used", { fault: failure.fault });
  // A rehearsal has no effects.
  const effect = live.attempt.dryRun ? "state" : policy.effect;
  return failedAs(error, thrown, failure, { rollback, effect }, request);
}

function failedAs(
  error: unknown,
  thrown: boolean,
  { classification, message }: Extract<Failure, { kind: "failure" }>,
  { rollback, effect }: { readonly rollback: Rollback; readonly effect: Effect },
  { repairsBugs }: AttemptRequest,
): AttemptEnd {
  const { error_type: type } = classification;
  const undone = undoneOf(rollback, effect);
  if (isRepairable(classification, effect, repairsBugs)) {
    const stage = thrown ? "execution" : "outcome_policy";
    return failedIn(stage, toolFailed(type, message), rollback, undone);
  }
  if (!thrown) {
    const text = isOutcome(error) ? { message } : {};
    const rest = { ...text, ...(undone !== undefined && { undone }) };
    return { kind: "failed", value: error, type, failure: classification, rollback, ...rest };
  }
  if (effect === "irreversible") {
    return failedIn("execution", unknownOutcome(type), rollback, undone, "outcome_unknown");
  }
  return { kind: "threw", error, rollback, failure: classification };
}

/** Whether another call may repair a failure: the model can, and what the tool did is undone or may be repeated. */
function isRepairable(
  { class: kind, retriable, terminal }: Classification,
  effect: Effect,
  repairsBugs: boolean,
): boolean {
  if (effect === "irreversible" || kind === "extrinsic" || terminal !== undefined) return false;
  return retriable || (repairsBugs && kind === "intrinsic");
}

/** Where it could not be committed, or what to do about it; never a value. */
function placeOf(thrown: unknown): Readonly<Record<string, unknown>> {
  if (thrown instanceof UncopyableStateError) return { place: thrown.path, slot: thrown.slot };
  return thrown instanceof ConflictError ? { fix: thrown.fix } : {};
}

/** Two attempts changed the same slots, and this one may not run again. */
export class ConflictError extends Error {
  override readonly name: string = "ConflictError";
  readonly fix = "declare the effect or the locks of the tool";
}

/** Undoes a call whose state could not be committed. */
export async function uncommitted(
  live: LiveAttempt,
  thrown: unknown,
  request: AttemptRequest,
): Promise<Refused> {
  request.trace.executed(false);
  const { log, policy } = request;
  log("State could not be committed", { error: errorClass(thrown), ...placeOf(thrown) });
  const rollback = await live.rollback();
  const undone = undoneOf(rollback, policy.effect);
  const found = notCommitted(errorClass(thrown));
  return failedIn("execution", found, rollback, undone, "state_not_committed");
}
