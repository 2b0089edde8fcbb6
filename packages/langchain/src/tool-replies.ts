import { ToolMessage } from "@langchain/core/messages";
import { isControlFlow } from "@toolcontract/core/adapter";
import type { GuardedReply } from "./guarded-run.ts";
import { messageOfFailure, rejectionMessage } from "./history.ts";
import type { ToolHandler, ToolRequest } from "./hooks.ts";
import { isMiddlewareError, refusalTextOf } from "./host-errors.ts";
import type { ToolErrors } from "./options.ts";

/** What a tool call of an agent is answered with. */
export type ToolReply = Awaited<ReturnType<ToolHandler>>;

/** The answer to a call that was run or refused. */
export function replyOf(
  { toolCall: call, tool }: ToolRequest,
  guarded: GuardedReply<ToolReply>,
): ToolReply {
  if (guarded.status === "executed") return guarded.reply;
  if (guarded.status === "failed") return messageOfFailure(call, guarded.failure);
  return rejectionMessage({ call, tool }, guarded.answer);
}

/** The request with these arguments; the same object if they are the model's. */
export function requestWithArguments(request: ToolRequest, input: unknown): ToolRequest {
  const { toolCall } = request;
  if (input === toolCall.args) return request;
  const { id, name } = toolCall;
  const call = { type: "tool_call", name, args: input as typeof toolCall.args } as const;
  return { ...request, toolCall: { ...call, ...(id !== undefined && { id }) } };
}

/**
 * Answers what a tool throws as `createAgent` does without middleware; rethrows interrupts, cancellation and errors of
 * other middleware.
 */
export async function replyToError(
  thrown: unknown,
  request: ToolRequest,
  toolErrors: ToolErrors,
): Promise<ToolReply> {
  const isRethrown =
    toolErrors === "throw" ||
    isControlFlow(thrown, request.runtime.signal) ||
    isMiddlewareError(thrown);
  if (isRethrown) throw thrown;
  const { id, name } = request.toolCall;
  const content =
    toolErrors === "default"
      ? (refusalTextOf(thrown) ?? `${String(thrown)}\n Please fix your mistakes.`)
      : await toolErrors(thrown, request);
  // In LangChain's own order: stored states are compared as text.
  return new ToolMessage({ content, tool_call_id: id ?? "", name, status: "error" });
}
