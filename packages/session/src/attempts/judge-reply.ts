import { AttemptError, CUT_NOTICE, EMPTY_NOTICE, type ReplyFacts } from "../shared/index.ts";

/** What a session accepts as an answer. */
export interface JudgeOptions {
  /** Whether no other turn follows. */
  readonly isLast: boolean;
  /** Whether text without calls ends a run before its last turn. */
  readonly plainText: "accept" | "retry";
  /** Whether a text can be the final report: not if JSON is expected and the text holds none. */
  readonly isReport: (text: string) => boolean;
}

/**
 * Says whether an answer of a model completes its turn (AI Agent Contract, section 2, empty or invalid responses).
 *
 * `"complete"`: it has calls, text that may be the report, or a file. `"continue"`: it has reasoning only, and another turn may
 * follow; the reasoning stays in the conversation.
 *
 * @throws {@link AttemptError} of the kind `"empty"` for an answer to retry, with the notice for the next attempt alone:
 *   nothing was said, plain text is not accepted, or the answer was cut in the middle of a call.
 */
export function judgeReply(reply: ReplyFacts, options: JudgeOptions): "complete" | "continue" {
  const { isLast, plainText, isReport } = options;
  if (reply.cut === true) {
    throw retryWith("the answer was cut off at its length limit, inside a tool call", CUT_NOTICE);
  }
  if (reply.calls.length > 0) return "complete";
  if (reply.text.trim() === "") {
    // It says something, although not in words.
    if (reply.hasOther === true) return "complete";
    if (reply.hasReasoning && !isLast) return "continue";
    throw retryWith("the answer has neither text nor tool calls", EMPTY_NOTICE);
  }
  if ((isLast || plainText === "accept") && isReport(reply.text)) return "complete";
  throw retryWith("the answer is plain text without tool calls", EMPTY_NOTICE);
}

function retryWith(message: string, notice: string): AttemptError {
  return new AttemptError("empty", message, { notice });
}
