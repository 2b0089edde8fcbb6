import type { Handled, ValidArguments } from "@toolcontract/core";
import type { ModelMessage } from "ai";
import { turnIdOf } from "./attempts.ts";
import type { Guard } from "./guard.ts";
import { attachAnswer, rejectionError } from "./rejection-error.ts";

/** A call with valid arguments, as the SDK passes it to a tool's functions. */
export interface ValidCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The guarded schema's result; undefined if the SDK passed on other arguments than that schema returned. */
  readonly checked: ValidArguments | undefined;
  readonly messages: readonly ModelMessage[];
}

/** What the contract says about a valid call. */
export interface ReportedCall {
  /** Whether the tool was blocked before: then the call may run only after the decision. */
  readonly wasBlocked: boolean;
  readonly decision: Promise<Handled | undefined>;
  /** The note on the call's advisories for the model; empty if there is nothing to show. */
  note(): Promise<string>;
}

/**
 * Reports a valid call to the contract, for its events, metrics and notes.
 *
 * The guarded schema validated the arguments already; arguments changed since then are the application's own.
 */
export function reportValidCall(call: ValidCall, guard: Guard): ReportedCall {
  const { toolCallId: id, toolName: name, input } = call;
  const { checked = asValid(input) } = call;
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
  // Often nobody awaits it.
  decision.catch(() => undefined);
  const note = async (): Promise<string> => {
    const handled = await decision.catch(() => undefined);
    return handled?.result.content.trim() ?? "";
  };
  return { wasBlocked: attempts.blocked, decision, note };
}

function asValid(input: unknown): ValidArguments {
  return { status: "valid", input, output: input, advisories: [], repairs: [] };
}

/**
 * Runs a call of a tool that was blocked, unless the contract refuses even valid calls of it.
 *
 * @remarks A stream of results is read to its end, because the decision must come first.
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
