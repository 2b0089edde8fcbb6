import type { LoopEnd } from "@toolcontract/session";
import type { ModelMessage } from "ai";

/** A part of a step, of which only this is read. */
interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
}

interface Step {
  readonly content: readonly Part[];
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** What a loop came to. */
export interface Finished extends LoopEnd {
  /** The messages of each step's response; undefined if the loop did not get that far. */
  readonly responses?: readonly (readonly ModelMessage[])[];
}

/** Reads a result of generateText or streamText to its end; anything else has no end of its own. */
export async function finish(value: unknown): Promise<Finished> {
  const result = Object(value) as Partial<Result>;
  let thrown: unknown;
  const onError = (error: unknown): void => {
    thrown ??= error;
  };
  // A stream that nobody reads does not move on.
  await result.consumeStream?.({ onError });
  try {
    const steps = await (thrown === undefined
      ? result.steps
      : Promise.race([result.steps, settledByNow()]));
    if (!Array.isArray(steps)) return { ...(thrown !== undefined && { thrown }) };
    return {
      ...(thrown !== undefined && { thrown }),
      ...pauseOf(steps),
      responses: steps.map(({ response }) => response.messages),
    };
  } catch (error) {
    return { thrown: thrown ?? error };
  }
}

/** In version 5, the steps of a stream that broke are promised for ever. */
async function settledByNow(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, 0, undefined));
}

interface Result {
  readonly steps: PromiseLike<readonly Step[]> | readonly Step[];
  readonly consumeStream: (options: {
    readonly onError: (error: unknown) => void;
  }) => PromiseLike<void>;
}

/** Why the loop waits for somebody: a person's approval, or the result of a tool that runs elsewhere. */
function pauseOf(steps: readonly Step[]): { readonly paused?: string } {
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
    ({ type, toolCallId }) => type === "tool-call" && !answered.has(toolCallId),
  );
  return open ? { paused: `the result of ${open.toolName ?? "a tool"} is to come` } : {};
}
