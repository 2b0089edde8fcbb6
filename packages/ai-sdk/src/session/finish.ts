import { EscalationError } from "@toolcontract/core";
import type { LoopEnd } from "@toolcontract/session";
import type { ModelMessage } from "ai";
import { escalationsOf } from "../rejection-error.ts";

/** A part of a step, of which only this is read. */
interface StepPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly providerExecuted?: boolean;
}

interface FinishedStep {
  readonly content: readonly StepPart[];
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** The result of a loop. */
export interface Finished extends LoopEnd {
  /** The messages of each step's response; undefined if the loop did not get that far. */
  readonly responses?: readonly (readonly ModelMessage[])[];
}

/**
 * Reads a result of generateText or streamText to its end; anything else has no end of its own.
 *
 * @param stops - Whether an escalation ends the loop.
 */
export async function finish(value: unknown, stops: boolean): Promise<Finished> {
  const { fullStream, steps } = Object(value) as Partial<SdkResult>;
  let thrown = fullStream && (await readAll(fullStream));
  let done: unknown;
  try {
    // After a stream that failed, version 5 may never settle the steps.
    done = await (thrown ? Promise.race([steps, nextTask()]) : steps);
  } catch (error) {
    thrown ??= { error };
  }
  return {
    ...(thrown && { thrown: thrown.error }),
    ...(areSteps(done) && {
      ...pauseOf(done),
      ...(stops && stopOfEscalation(done)),
      responses: done.map(({ response }) => response.messages),
    }),
  };
}

interface SdkResult {
  readonly steps: unknown;
  readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
}

/** Reads a stream, which does not move on if nobody does; returns the error that ended it. */
async function readAll(
  parts: SdkResult["fullStream"],
): Promise<{ readonly error: unknown } | undefined> {
  let thrown: { readonly error: unknown } | undefined;
  try {
    for await (const { type, error } of parts) {
      if (type === "error") thrown ??= { error };
      // The run went on.
      if (type === "start-step") thrown = undefined;
    }
  } catch (error) {
    thrown ??= { error };
  }
  return thrown;
}

async function nextTask(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function areSteps(value: unknown): value is readonly FinishedStep[] {
  return (
    Array.isArray(value) &&
    value.every((step) => Array.isArray((Object(step) as Partial<FinishedStep>).response?.messages))
  );
}

/** The escalation that ended the loop, if one did. */
function stopOfEscalation(steps: readonly FinishedStep[]): { readonly endedBy?: string } {
  const [escalation] = escalationsOf(steps.slice(-1));
  return escalation ? { endedBy: new EscalationError(escalation).message } : {};
}

/** Why the loop waits for somebody: a person's approval, or the result of a tool that runs elsewhere. */
function pauseOf(steps: readonly FinishedStep[]): { readonly paused?: string } {
  const parts = steps.at(-1)?.content ?? [];
  if (parts.some(({ type }) => type === "tool-approval-request")) {
    return { paused: "a call waits for approval" };
  }
  const answered = new Set(
    parts.flatMap(({ type, toolCallId }) =>
      type === "tool-result" || type === "tool-error" ? [toolCallId] : [],
    ),
  );
  const open = parts.find(
    ({ type, toolCallId, providerExecuted }) =>
      type === "tool-call" && providerExecuted !== true && !answered.has(toolCallId),
  );
  return open ? { paused: `the result of ${open.toolName ?? "a tool"} is to come` } : {};
}
