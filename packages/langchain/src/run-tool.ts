import { isControlFlow, isInputRefusal, isMiddlewareError } from "./host-errors.ts";
import { answerToolError, type ToolErrors } from "./tool-errors.ts";
import type { ToolHandler, ToolReply, ToolRequest } from "./tool-request.ts";

/**
 * Runs a call and answers what its tool throws as createAgent does where no middleware wraps the call.
 *
 * Interrupts, cancellation, errors of other middleware and LangChain's own refusal of arguments come through.
 */
export async function runTool(
  request: ToolRequest,
  handler: ToolHandler,
  toolErrors: ToolErrors,
): Promise<ToolReply> {
  try {
    return await handler(request);
  } catch (thrown) {
    const isPassed =
      isControlFlow(thrown, request.runtime.signal) ||
      isMiddlewareError(thrown) ||
      isInputRefusal(thrown, request.toolCall.args);
    if (isPassed) throw thrown;
    return answerToolError(thrown, request, toolErrors);
  }
}
