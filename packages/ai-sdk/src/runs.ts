import type { CallContext } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";
import type { Messages } from "./sdk.ts";

/** One call of generateText or streamText, or one run of an agent. */
export interface Run {
  /** Undefined if the run cannot be told from others. */
  readonly id: string | undefined;
  /** True if it goes on after an approval, so that its calls may have been checked in an earlier run. */
  readonly isResumed: boolean;
}

/** A step of a run: one turn of the model. */
export interface RunStep {
  readonly run: Run;
  readonly turnId: string;
  /** The tools that the model is not offered in this step, because they have no attempts left. */
  readonly dropped: Set<string>;
  /** The calls that were judged when the model made them, by their ids; `"waits"` if a guardrail asks a person about one. */
  readonly judged: Map<string, "accepted" | "waits">;
}

// Module-wide, because several guarded tool sets may share one contract.
const stepOf = new WeakMap<object, RunStep>();
/** The steps whose list the SDK may have made longer, by its first message. */
const stepOfFirst = new WeakMap<object, RunStep>();
const runOfResponse = new WeakMap<object, Run>();
let turnsBegun = 0;

/** What the SDK says of a step before it begins. */
interface NewStep {
  /** The steps before it: one list for a run. */
  readonly steps: readonly unknown[];
  readonly messages: Messages;
}

/**
 * Begins a step of a run. Its calls are known by the list of messages that the SDK passes to each of them: the one that it
 * made for the step, or `sent`, which replaces it.
 *
 * @param isExtended - Whether the SDK may pass on a longer list, which begins with the messages that were sent: then the first is the
 * step's own object.
 *
 * @remarks Nothing else that a call gets is its run's alone: users may send the same messages, contexts and signals, and
 * providers may give their calls the same ids.
 */
export function beginStep(
  { steps, messages }: NewStep,
  sent: Messages,
  isExtended = false,
): RunStep {
  const step = newStep(runOfSteps(steps, messages));
  stepOf.set(messages, step);
  stepOf.set(sent, step);
  const [first] = sent;
  if (isExtended && first) stepOfFirst.set(first, step);
  return step;
}

function runOfSteps(steps: readonly unknown[], messages: Messages): Run {
  const known = runOfResponse.get(steps);
  if (known) return known;
  const run =
    steps.length > 0
      ? unknownRun()
      : (resumedRun(messages) ?? { id: globalThis.crypto.randomUUID(), isResumed: false });
  runOfResponse.set(steps, run);
  return run;
}

/** The step that was sent these messages. */
export function stepFrom(messages: Messages): RunStep {
  const [first] = messages;
  const known = stepOf.get(messages) ?? (first && stepOfFirst.get(first));
  if (known) return known;
  // The SDK runs approved calls before the first step, with the application's own list.
  const resumed = resumedRun(messages);
  if (resumed) return newStep(resumed, `approval ${approvalsIn(messages).at(-1)}`);
  const step = newStep(unknownRun());
  stepOf.set(messages, step);
  return step;
}

function newStep(run: Run, turnId: string = newTurnId()): RunStep {
  return { run, turnId, dropped: new Set(), judged: new Map() };
}

function unknownRun(): Run {
  return { id: undefined, isResumed: false };
}

function newTurnId(): string {
  turnsBegun += 1;
  return `turn ${turnsBegun}`;
}

const MAX_RESUMED = 1_000;
const resumedRuns = createRecentMap<string, Run>(MAX_RESUMED);

/**
 * The run of messages that go on after an approval: whoever sends an approval again goes on with the same run, so that a
 * call that is approved twice has one idempotency key.
 */
function resumedRun(messages: Messages): Run | undefined {
  const [first] = approvalsIn(messages);
  if (first === undefined) return undefined;
  const known = resumedRuns.get(first);
  const run = known ?? { id: `approval ${first}`, isResumed: true };
  if (!known) resumedRuns.set(first, run);
  return run;
}

// The SDK's own ids have 24 characters. Messages come from browsers, and runs are kept by the thousand.
const MAX_ID = 200;

/** The ids of the approvals that were asked for since the last message of the user, which are random. */
function approvalsIn(messages: Messages): readonly string[] {
  const since = messages.findLastIndex(({ role }) => role === "user") + 1;
  return messages.slice(since).flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string"
      ? content.flatMap((part) => {
          const id: unknown = part.type === "tool-approval-request" && part.approvalId;
          return typeof id === "string" && id !== "" && id.length <= MAX_ID ? [id] : [];
        })
      : [],
  );
}

/** Where a call was made: in the conversation that the application named, else in its run alone. */
export function placeIn(
  messages: Messages,
  {
    conversationId,
    isNamed,
    agentName,
  }: {
    readonly conversationId: string;
    readonly isNamed: boolean;
    readonly agentName: string | undefined;
  },
): Pick<
  CallContext,
  "conversationId" | "turnId" | "runId" | "knowsRun" | "knowsConversation" | "agentName"
> {
  const { run, turnId } = stepFrom(messages);
  const place = { conversationId, turnId, ...(agentName !== undefined && { agentName }) };
  if (isNamed) return place;
  const own = run.id === undefined ? { knowsRun: false } : { runId: run.id };
  return { ...place, knowsConversation: false, ...own };
}
