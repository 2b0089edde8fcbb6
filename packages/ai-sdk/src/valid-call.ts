import type { Handled, ValidArguments } from "@toolcontract/core";
import type { ModelMessage } from "ai";
import { attachAnswer, rejectionError } from "./rejection-error.ts";
import type { Guard } from "./guard.ts";
import { turnIdOf } from "./attempts.ts";

/** A call whose arguments the guarded schema let pass, as the SDK hands it to a tool's functions. */
export interface ValidCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** What the guarded schema found; undefined where the SDK handed on other arguments than it was given. */
  readonly checked: ValidArguments | undefined;
  readonly messages: readonly ModelMessage[];
}

/** What the contract says of a valid call. */
export interface ReportedCall {
  /** True where the tool was blocked before, so that only the decision tells whether the call may run. */
  readonly wasBlocked: boolean;
  readonly decision: Promise<Handled | undefined>;
  /** What the model is told of the call's advisories; empty where nothing is. */
  note(): Promise<string>;
}

/**
 * Tells the contract of a valid call, for its events, metrics and notes.
 *
 * The guarded schema judged the arguments already; what came in between was let pass by the SDK.
 */
export function reportValidCall(call: ValidCall, guard: Guard): ReportedCall {
  const { toolCallId: id, toolName: name, input } = call;
  const { checked = taken(input) } = call;
  const { contract, conversationId, recent } = guard;
  const attempts = guard.attempts.count(call.messages, name);
  const isCounted = recent.takeAdmitted(id) && checked.advisories.length === 0 && !attempts.blocked;
  const decision = isCounted
    ? Promise.resolve(undefined)
    : contract.handle(
        { id, name, arguments: input },
        {
          tool: { name },
          checked,
          conversationId,
          attempts,
          turnId: turnIdOf(call.messages),
          execute: () => "",
        },
      );
  // Nobody may be waiting for it.
  decision.catch(() => undefined);
  const note = async (): Promise<string> => {
    const handled = await decision.catch(() => undefined);
    return handled?.result.content.trim() ?? "";
  };
  return { wasBlocked: attempts.blocked, decision, note };
}

/**
 * Runs a call of a tool that was blocked, unless the contract refuses even a valid one.
 *
 * @remarks A stream of results is read to its end, because the decision comes before it.
 */
export async function runUnlessRefused(
  { decision }: ReportedCall,
  run: () => unknown,
  guard: Guard,
): Promise<unknown> {
  const handled = await decision;
  if (handled === undefined || handled.status === "executed") return lastOf(run());
  const error = rejectionError(handled.result.content);
  guard.recent.reject(handled.result);
  attachAnswer(error, handled);
  throw error;
}

async function lastOf(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output))
    return output;
  let last: unknown;
  for await (const value of output as AsyncIterable<unknown>) last = value;
  return last;
}

function taken(input: unknown): ValidArguments {
  return { status: "valid", input, output: input, advisories: [], repairs: [] };
}
