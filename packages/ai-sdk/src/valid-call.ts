import type { Handled, ValidationError } from "@toolcontract/core";
import type { ModelMessage } from "ai";
import { attachAnswer } from "./answer.ts";
import { asArguments } from "./as-arguments.ts";
import type { Guard } from "./guard.ts";
import { rejectionError } from "./rejection-error.ts";
import { turnIdOf } from "./turn-id.ts";

/** A call whose arguments the guarded schema let pass, as the SDK hands it to a tool's functions. */
export interface ValidCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly advisories: readonly ValidationError[];
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
 * The arguments are judged already, so the contract gets a tool that takes them and reports what was found.
 */
export function reportValidCall(call: ValidCall, guard: Guard): ReportedCall {
  const { toolCallId: id, toolName: name, input, advisories } = call;
  const { contract, conversationId, recent } = guard;
  const attempts = guard.attempts.count(call.messages, name);
  const isCounted = recent.takeAdmitted(id) && advisories.length === 0 && !attempts.blocked;
  const decision = isCounted
    ? Promise.resolve(undefined)
    : contract.handle(
        { id, name, arguments: asArguments(input) },
        {
          tool: { name, rules: [() => advisories] },
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
