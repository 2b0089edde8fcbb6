import type { AttemptKey } from "../attempts/retry-tracker.ts";
import type { CallContext } from "../call-context.ts";
import { type CallServices, countedName } from "./call-services.ts";
import type { ToolCall } from "../tool-call.ts";
import type { ToolDefinition } from "../tool-definition.ts";

/** A call on its way through the stages. */
export interface CallInProgress {
  readonly call: ToolCall;
  /** The called tool; undefined where the host has none of that name. */
  readonly tool: ToolDefinition | undefined;
  readonly context: CallContext & { readonly turnId: string };
  readonly services: CallServices;
}

/** Under which key the attempts of a call are counted. */
export function attemptKey({ tool, context }: CallInProgress): AttemptKey {
  return { conversationId: context.conversationId, toolName: countedName(tool) };
}

/** Asks the attempt store; one that fails is reported and must not fail the call. */
export async function tracked<T>(
  progress: CallInProgress,
  task: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (thrown) {
    progress.services.faults.report("store", thrown, countedName(progress.tool));
    return undefined;
  }
}
