import type { CountedFailure, Standing } from "../attempts/index.ts";
import type { CallRecord } from "./record.ts";
import { ruleCouldNotRun, readErrors } from "./rules.ts";
import type {
  ExecutionStage,
  HostContext,
  StageContext,
  StageFailure,
  StageFeedback,
  StageLane,
  StageRefusal,
  TypedOutcome,
} from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import {
  type Finding,
  type MaybePromise,
  chain,
  isPromiseLike,
} from "@toolcontract/explain/adapter";

/** What rules and stages know about a call besides its tool and arguments. */
export type CallIdentity = Omit<StageContext, "tool" | "definition" | "signal" | "reports">;

/** Who made a call, and where. */
function originOf({ call, context }: CallRecord) {
  const { conversationId, turnId, agent } = context;
  const named = { call, callId: call.id, conversationId, turnId };
  return { ...whereOf(context), ...named, ...(agent !== undefined && { agent }) };
}

/** Where a call is made and for whom, as far as the host knows it. */
function whereOf({
  conversationId,
  runId,
  knowsRun,
  knowsConversation,
  context,
  grants,
}: CallWhere): Pick<
  StageContext,
  "conversationId" | "runId" | "knowsRun" | "knowsConversation" | "context"
> {
  const host =
    grants === undefined || grants.length === 0
      ? context
      : { ...context, grants: [...(context?.grants ?? []), ...grants] };
  return {
    ...(conversationId !== undefined && { conversationId }),
    ...(runId !== undefined && { runId }),
    ...(knowsRun !== undefined && { knowsRun }),
    ...(knowsConversation !== undefined && { knowsConversation }),
    ...(host && { context: host }),
  };
}

interface CallWhere {
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  readonly knowsRun?: boolean | undefined;
  readonly knowsConversation?: boolean | undefined;
  readonly context?: HostContext | undefined;
  readonly grants?: readonly string[] | undefined;
}

/** What is known about a call that is under way; the numbers of its attempts only for a stage. */
export function identityOf(
  record: CallRecord,
  attempt: number,
  attempts: Standing["numbers"],
): CallIdentity & Required<Pick<CallIdentity, "call" | "attempts">> {
  const { runsHere } = record.context;
  const origin = originOf(record);
  return { ...origin, ...(runsHere !== undefined && { runsHere }), attempt, attempts };
}

/** What is known about a call that is only checked. */
export function identityOfChecked(known: CallWhere & CheckedFor): CallIdentity {
  const { callId, runsHere, beforeApproval } = known;
  return {
    ...(callId !== undefined && { callId }),
    ...(runsHere !== undefined && { runsHere }),
    ...(beforeApproval !== undefined && { beforeApproval }),
    ...whereOf(known),
  };
}

interface CheckedFor {
  readonly callId?: string | undefined;
  readonly runsHere?: boolean | undefined;
  readonly beforeApproval?: StageContext["beforeApproval"] | undefined;
}

/** Lets the stage know that its refusal was counted, and of which call. */
export function tellCounted(
  record: CallRecord,
  { onCounted }: CountedRefusal,
  attempt: number,
): void {
  const { name, services } = record;
  const { reports, reporter } = services;
  const identity = { tool: name, ...originOf(record), attempt, reports };
  reporter.guard("stage", () => onCounted?.(identity, attempt), name);
}

/** The typed outcome of the attempt that closes a tool; a stage that cannot make it closes the tool without one. */
export function outcomeAt(
  attempt: number,
  { outcomeOf }: CountedRefusal,
  record: CallRecord,
): TypedOutcome | undefined {
  return written(() => outcomeOf?.(attempt), record);
}

/** What a stage says about a counted refusal; a stage that cannot say it says nothing. */
export function feedbackOn(
  { attempt, maxAttempts, closed }: Pick<CountedFailure, "attempt" | "maxAttempts" | "closed">,
  { feedbackOf }: CountedRefusal,
  record: CallRecord,
): StageFeedback | undefined {
  return written(() => feedbackOf?.(attempt, closed ? 0 : maxAttempts - attempt), record);
}

function written<T>(write: () => T, { name, services }: CallRecord): T | undefined {
  try {
    return write();
  } catch (thrown) {
    services.reporter.fault("stage", thrown, name);
    return undefined;
  }
}

type CountedRefusal = Pick<StageRefusal, "outcomeOf" | "feedbackOf" | "onCounted">;

const COULD_NOT_CHECK = "The call could not be checked, so it was not made";

/** Asks a stage about arguments that nothing else is wrong with; a stage that throws or rejects refuses the call. */
export function askStage(
  stage: ExecutionStage,
  args: unknown,
  context: StageContext,
  onFault: (stage: string, thrown: unknown) => void,
): MaybePromise<StageRefusal | undefined> {
  const fail = (thrown: unknown): StageRefusal => {
    // A stage that stops because the call was cancelled did not fail.
    if (context.signal?.aborted !== true) onFault("stage", thrown);
    const [lane = "guardrail"] = Object.keys(stage.lanes) as StageLane[];
    return { action: "stop", lane, errors: [{ message: COULD_NOT_CHECK }] };
  };
  const ask = (): MaybePromise<unknown> => {
    try {
      const answer: MaybePromise<unknown> = stage.check?.(args, context);
      return isPromiseLike(answer) ? Promise.resolve(answer).catch(fail) : answer;
    } catch (thrown) {
      return fail(thrown);
    }
  };
  return chain(ask(), (answer) => {
    if (answer === undefined || answer === null) return undefined;
    return toRefusal(
      stage,
      answer,
      'check() must answer nothing or { action: "retry" | "stop", … }',
    );
  });
}

const ACTIONS: readonly StageRefusal["action"][] = ["retry", "stop", "ask", "skip"];

/** Reads a stage's refusal; one that the contract cannot count is a mistake of the stage's author. */
export function toRefusal(stage: ExecutionStage, answer: unknown, wants: string): StageRefusal {
  const refusal = Object(answer) as StageRefusal;
  const { action, lane, undone, outcomeOf, feedbackOf, onCounted } = refusal;
  const fail = (what: string): never => {
    throw new ToolContractError(`Stage '${stage.name}': ${what}.`);
  };
  if (!ACTIONS.includes(action)) fail(wants);
  if ((action === "ask") !== (refusal.request !== undefined)) {
    fail('a refusal has a `request` if its action is "ask", and only then');
  }
  if (!Object.hasOwn(stage.lanes, lane)) {
    fail(
      `the lane of a refusal must be one of its \`lanes\`: ${Object.keys(stage.lanes).join(", ")}`,
    );
  }
  checkUndone(undone, fail);
  if (outcomeOf !== undefined && typeof outcomeOf !== "function") {
    fail("`outcomeOf` must be a function (attempt) => outcome");
  }
  if (feedbackOf !== undefined && typeof feedbackOf !== "function") {
    fail("`feedbackOf` must be a function (attempt, remaining)");
  }
  if (onCounted !== undefined && typeof onCounted !== "function") {
    fail("`onCounted` must be a function (context, attempt)");
  }
  return refusal;
}

/** Reads a stage's failure. */
export function toFailure(stage: ExecutionStage, failure: StageFailure): StageFailure {
  const fail = (what: string): never => {
    throw new ToolContractError(`Stage '${stage.name}': ${what}.`);
  };
  const message: unknown = failure.message;
  if (message !== undefined && typeof message !== "string") {
    fail("the `message` of a failure must be a string");
  }
  const { withheld } = failure;
  if (withheld !== undefined && withheld !== "done" && withheld !== "failed") {
    fail('`withheld` of a failure must be "done" or "failed"');
  }
  if (withheld !== undefined && message === undefined) {
    fail("a failure that is `withheld` needs a `message` that says why");
  }
  checkUndone(failure.undone, fail);
  return failure;
}

function checkUndone(undone: unknown, fail: (what: string) => never): void {
  if (undone === undefined || undone === "all" || isListOfNames(undone)) return;
  fail('`undone` must be "all", or the names of the effects that could not be undone');
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Converts what a stage refused a call for; there is always something to tell the model. */
export function refusalFindings({ errors }: Pick<StageRefusal, "errors">): readonly Finding[] {
  const findings = readErrors(errors);
  if (findings.length === 0) return ruleCouldNotRun();
  return findings.map((finding) => ({ ...finding, severity: "error" }));
}
