import { ToolMessage } from "@langchain/core/messages";
import type { ToolCallRequest } from "langchain";

/** What becomes of an error that a tool throws: LangChain's own answer, the error itself, or a text of yours. */
export type ToolErrors =
  | "default"
  | "throw"
  | ((error: unknown, request: ToolCallRequest) => string | Promise<string>);

/** Answers a call whose tool threw, or throws it on. */
export async function answerToolError(
  error: unknown,
  request: ToolCallRequest,
  toolErrors: ToolErrors,
): Promise<ToolMessage> {
  if (toolErrors === "throw") throw error;
  const { id, name } = request.toolCall;
  // The words of createAgent, which it says only where no middleware wraps the call.
  const content =
    toolErrors === "default"
      ? `${String(error)}\n Please fix your mistakes.`
      : await toolErrors(error, request);
  return new ToolMessage({ status: "error", name, tool_call_id: id ?? "", content });
}
