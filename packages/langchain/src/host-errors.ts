import type { CheckResult } from "@toolcontract/core";
import { isRecord, refusedWith } from "@toolcontract/core/adapter";
import { ToolMessage } from "@langchain/core/messages";
import type { ToolCallRequest } from "langchain";

const MAX_CAUSES = 20;

/**
 * Tells whether something thrown is not a failure but how the graph moves: an interrupt, a command to the parent
 * graph, a drained run, a cancelled one.
 */
export function isControlFlow(thrown: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || (isRecord(thrown) && thrown["is_bubble_up"] === true);
}

/** Tells whether other middleware threw, or passed on what a tool threw. */
export function isMiddlewareError(thrown: unknown): boolean {
  return isRecord(thrown) && thrown["~brand"] === "MiddlewareError";
}

/**
 * Tells whether LangChain's own check of the arguments threw, by the form of what was thrown: of several copies of
 * a package each has classes of its own.
 *
 * @param args - The arguments that the tool got; a check of others is one inside of the tool.
 */
export function isInputRefusal(thrown: unknown, args: unknown): boolean {
  let cause = thrown;
  for (let depth = 0; depth < MAX_CAUSES && isMiddlewareError(cause); depth += 1) {
    cause = isRecord(cause) ? cause["cause"] : undefined;
  }
  const refusal = isRecord(cause) && isRecord(cause["toolCall"]) ? cause["toolError"] : cause;
  if (!isRecord(refusal)) return false;
  const { constructor } = refusal;
  if (typeof constructor !== "function" || constructor.name !== "ToolInputParsingException") {
    return false;
  }
  return refusal["output"] === undefined || refusal["output"] === JSON.stringify(args);
}

/** What is told of arguments that only LangChain's own check refused. */
export const REFUSED_BY_TOOL: CheckResult = refusedWith({
  errorCode: "VAL-016",
  message: "The tool refused these arguments",
});

/** What is told of a text that could be read too late to run. */
export const READ_TOO_LATE: CheckResult = refusedWith({
  errorCode: "VAL-004",
  message: "Invalid JSON",
  expectedValue: "one JSON object",
});

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
