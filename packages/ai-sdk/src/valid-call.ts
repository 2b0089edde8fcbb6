import type {
  Admission,
  AttemptCount,
  CallContext,
  CallTool,
  CheckResult,
  InvalidArguments,
  Refused,
  ToolDefinition,
  ValidArguments,
  WireOutput,
} from "@toolcontract/core";
import { authorOf, blockedTool, isObserving, isPromiseLike } from "@toolcontract/core/adapter";
import type { ModelMessage } from "ai";
import { grantsIn } from "./approvals.ts";
import type { Guard } from "./guard.ts";
import { attachAnswer, rejectionError, setText } from "./rejection-error.ts";
import { placeIn, stepFrom } from "./runs.ts";
import { hasRules } from "./made-calls.ts";
import { lastOf } from "./sibling-call.ts";
import { asArguments } from "./tool-definitions.ts";

/** A call with valid arguments, as the SDK passes it to a tool's functions. */
export interface AcceptedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The guarded schema's result; undefined if the SDK passed on other arguments than that schema returned. */
  readonly checked: ValidArguments | undefined;
  /** What the contract found wrong, where it only observes. */
  readonly observed?: InvalidArguments | undefined;
  readonly messages: readonly ModelMessage[];
  readonly signal?: AbortSignal | undefined;
  /** Whether the tool has a function that runs here, and not in a client. */
  readonly runsHere: boolean;
}

/** What the contract says about a valid call that runs beside it. */
export interface DecidedCall {
  /** Whether the contract may refuse the call, whose tool was blocked or which rules have not seen: then it runs after the decision. */
  readonly mayRefuse: boolean;
  readonly decision: Promise<Admission | undefined>;
  /** The note on the call's advisories for the model; empty if there is nothing to show. */
  note(): Promise<string>;
}

/**
 * Reports a valid call to the contract, for its events, metrics and notes.
 *
 * The guarded schema validated the arguments already; arguments changed since then are the application's own.
 */
export function reportValidCall(call: AcceptedCall, guard: Guard): DecidedCall {
  const { toolCallId: id, toolName: name, input } = call;
  const { checked = asValid(input) } = call;
  const attempts = guard.attempts.count(call.messages, name);
  const isCounted =
    guard.recent.takeAdmitted(id, stepFrom(call.messages).run) !== undefined &&
    !call.observed &&
    !hasNote(checked, guard) &&
    !attempts.blocked &&
    attempts.closedBy === undefined;
  const decision = isCounted
    ? Promise.resolve(undefined)
    : admitAccepted({ ...call, checked }, attempts, guard);
  // Usually nothing awaits it.
  decision.catch(() => undefined);
  const note = async (): Promise<string> => {
    const admission = await decision.catch(() => undefined);
    return admission?.status === "admitted" ? admission.note() : "";
  };
  const isUnseen = !stepFrom(call.messages).judged.has(id) && hasRules(name, guard);
  const isClosed = attempts.blocked || attempts.closedBy !== undefined;
  const mayRefuse = (isClosed || isUnseen) && !isObserving(guard.contract);
  return { mayRefuse, decision, note };
}

async function admitAccepted(
  { toolCallId: id, toolName: name, input, checked, observed, messages, runsHere }: AcceptedCall,
  attempts: AttemptCount,
  guard: Guard,
  { signal, callTool }: Pick<CallContext, "signal" | "callTool"> = {},
): Promise<Admission> {
  const grants = grantsIn(messages, id);
  const found =
    observed ??
    (checked && (await judgeAgain({ toolCallId: id, toolName: name, messages, checked }, guard)));
  const known = await guard.definitions.get(name);
  return guard.contract.admit(
    { id, name, arguments: checked ? input : asArguments(input) },
    {
      tool: known ? acceptedBy(known) : { name },
      ...placeIn(messages, guard),
      attempts,
      runsHere,
      ...(grants.length > 0 && { grants }),
      ...(callTool && { callTool }),
      ...(found && { checked: found }),
      ...(signal && { signal }),
    },
  );
}

const accepting = new WeakMap<ToolDefinition, ToolDefinition>();

/** The tool of a call that the SDK has validated: the contract knows its definition, and accepts its arguments as they are. */
function acceptedBy(tool: ToolDefinition): ToolDefinition {
  const known = accepting.get(tool);
  if (known) return known;
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const made = {
    ...tool,
    validator: { "~standard": { version: 1, vendor: "ai", validate } },
  } as const;
  accepting.set(tool, made);
  return made;
}

/**
 * Asks the rules about a call that was not judged in this step: it was approved since it was made and may have been changed, or code that
 * the model wrote makes it. Guardrails are asked when it runs.
 */
async function judgeAgain(
  {
    toolCallId,
    toolName,
    messages,
    checked,
  }: Pick<AcceptedCall, "toolCallId" | "toolName" | "messages"> & {
    readonly checked: ValidArguments;
  },
  guard: Guard,
): Promise<CheckResult> {
  const step = stepFrom(messages);
  // Code knows tools that the model is not offered any more.
  if (step.dropped.has(toolName)) return blockedTool();
  const definition = await guard.definitions.get(toolName);
  if (definition === undefined || step.judged.has(toolCallId)) return checked;
  const ruled = await authorOf(guard.contract).checkRules(definition, checked.output);
  return ruled.status === "invalid" ? ruled : checked;
}

/** Whether the model is to read a note on the call. */
export function hasNote({ advisories }: ValidArguments, { contract }: Guard): boolean {
  return contract.settings.reportAdvisories && advisories.length > 0;
}

function asValid(input: unknown): ValidArguments {
  return { status: "valid", input, output: input, advisories: [], repairs: [] };
}

/** Runs a call, and counts whether its tool has failed: the failure that closes it is answered by the contract. */
export function runCounted(call: AcceptedCall, run: () => unknown, guard: Guard): unknown {
  const { toolCallId: id, toolName: name, input, messages, signal } = call;
  const author = authorOf(guard.contract);
  const made = { id, name, arguments: input };
  const contextOf = () => ({
    tool: { name },
    ...placeIn(messages, guard),
    ...(signal && { signal }),
  });
  const failed = async (thrown: unknown): Promise<never> => {
    const answer = await author.countFailure(made, contextOf(), thrown);
    throw answer ? refusalError(answer, guard) : thrown;
  };
  let output: unknown;
  try {
    output = run();
  } catch (thrown) {
    return failed(thrown);
  }
  // A stream of results is the SDK's to read.
  if (!isPromiseLike(output)) return output;
  return output.then((value) => {
    author.countSuccess(made, contextOf);
    return value;
  }, failed);
}

/**
 * Runs a call of a tool that was blocked, unless the contract refuses even valid calls of it.
 *
 * @remarks A stream of results is read to its end, because the decision must come first.
 */
export async function runUnlessRefused(
  { decision }: DecidedCall,
  run: () => unknown,
  guard: Guard,
): Promise<unknown> {
  const admission = await decision;
  if (admission === undefined || admission.status === "admitted") return lastOf(run());
  throw refusalError(admission, guard);
}

/**
 * Runs a valid call inside the contract, which may refuse it before or after it ran.
 *
 * @remarks A stream of results is read to its end: nothing of it may be shown before the contract has agreed.
 */
export function runInContract(
  call: AcceptedCall,
  run: () => unknown,
  callTool: CallTool,
  guard: Guard,
): { readonly output: Promise<unknown>; readonly note: Promise<string> } {
  const decided = async (): Promise<Admission> => {
    const { toolCallId, toolName, messages, signal } = call;
    const step = stepFrom(messages);
    const known = guard.recent.takeAdmitted(toolCallId, step.run);
    const attempts = guard.attempts.count(messages, toolName);
    // A call that waited for an approval now belongs to another run, and the stage may have closed its tool.
    if (known?.run === step.run && attempts.closedBy === undefined) return known.admission;
    return admitAccepted(call, attempts, guard, { callTool, ...(signal && { signal }) });
  };
  const admission = decided();
  const output = admission.then(async (admitted) => {
    if (admitted.status !== "admitted") throw refusalError(admitted, guard);
    let cause: unknown;
    const execute = async (): Promise<unknown> => {
      try {
        return await lastOf(run());
      } catch (thrown) {
        cause = thrown;
        throw thrown;
      }
    };
    const handled = await admitted.settle(execute, wireOutput);
    if (handled.status !== "executed") throw withCause(refusalError(handled, guard), cause);
    const { failure } = handled;
    if (failure) throw withCause(setText(failure, failure.message), cause);
    return handled.output;
  });
  const note = admission.then(
    (admitted) => (admitted.status === "admitted" ? admitted.note() : ""),
    () => "",
  );
  return { output, note };
}

/** What the tool threw, for the application: the model reads the text alone. */
function withCause(error: Error, cause: unknown): Error {
  if (cause === undefined) return error;
  return Object.defineProperty(error, "cause", { value: cause, configurable: true });
}

function refusalError(answer: Refused, guard: Guard): Error {
  const error = rejectionError(answer.result.content);
  guard.recent.reject(answer.result);
  attachAnswer(error, answer);
  return error;
}

function wireOutput(output: unknown): WireOutput {
  const isError = typeof output === "object" && output !== null && "isError" in output;
  return {
    content: typeof output === "string" ? output : "",
    isError: isError && output.isError === true,
  };
}
