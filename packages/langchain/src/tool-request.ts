import type { WrapToolCallHook } from "langchain";

type Hook = WrapToolCallHook;

/** A tool call as createAgent hands it to middleware. */
export type ToolRequest = Parameters<Hook>[0];

/** Runs the call, or the middleware below. */
export type ToolHandler = Parameters<Hook>[1];

/** The request with arguments other than the model's, where they are other. */
export function withArguments(request: ToolRequest, input: unknown): ToolRequest {
  const { toolCall } = request;
  if (input === toolCall.args) return request;
  const { id, name } = toolCall;
  const call = { type: "tool_call", name, args: input as typeof toolCall.args } as const;
  return { ...request, toolCall: { ...call, ...(id !== undefined && { id }) } };
}

/** What createAgent takes as the answer to a call. */
export type ToolReply = Awaited<ReturnType<ToolHandler>>;
