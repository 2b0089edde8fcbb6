import {
  ProviderError,
  CUT_NOTICE,
  EMPTY_NOTICE,
  NUDGE_NOTICE,
  REASONING_NOTICE,
  type ReplyFacts,
} from "../shared/index.ts";
import { notWhole, replyEnding } from "./endings.ts";

/**
 * What a session accepts as an answer.
 *
 * @example
 * ```ts
 * const options: JudgeOptions = { isLast: false, plainText: "accept", isReport: () => false };
 * ```
 * @see docs/session.md
 */
export interface JudgeOptions {
  /** Whether no other turn follows. */
  readonly isLast: boolean;
  /**
   * Whether the turn has no other attempt: then an incomplete answer is better than none.
   *
   * @default false
   */
  readonly isLastAttempt?: boolean;
  /** Whether text without calls ends a run before its last turn, or is first answered with a nudge. */
  readonly plainText: "accept" | "retry" | "nudge";
  /** Whether a text can be the final report: not if JSON is expected and the text holds none. */
  readonly isReport: (text: string) => boolean;
}

/**
 * Says whether an answer of a model completes its turn (AI Agent Contract, section 2, empty or invalid responses).
 *
 * `"complete"`: it has calls, text that may be the report, or a file. `"continue"`: it has reasoning only, or the provider paused
 * it (`pause_turn`), and another turn may follow; what it has stays in the conversation.
 *
 * @throws {@link ProviderError} for an answer to retry, with the notice for the next attempt alone. Its kind is `"empty"`: nothing
 *   was said, plain text is not accepted, or the answer was cut in the middle of a call; `"cut"`: a text is not whole, or its limit
 *   was spent on reasoning; `"network"`: a stream that ended without a reason; `"model"`: the provider ended it with an error.
 * @example
 * ```ts
 * judgeReply(reply, { isLast: false, plainText: "accept", isReport: () => false }); // "complete", or it throws
 * ```
 * @see docs/session-limits.md
 */
export function judgeReply(reply: ReplyFacts, options: JudgeOptions): "complete" | "continue" {
  const { isLast, isLastAttempt = false, plainText, isReport } = options;
  const ending = replyEnding(reply);
  const hasCalls = reply.calls.length > 0;
  if (reply.cut === true) {
    if (ending === "broken" || ending === "failure") throw notWhole(ending, reply);
    throw retryWith("the answer was cut off at its length limit, inside a tool call", CUT_NOTICE);
  }
  // Calls that came whole run, whatever came after them.
  if (hasCalls) return "complete";
  if (ending === "broken" || ending === "failure" || ending === "malformed") {
    throw notWhole(ending, reply);
  }
  if (ending === "pause") {
    if (!isLast) return "continue";
    throw notWhole(ending, reply);
  }
  if (reply.text.trim() === "") {
    // It has content, although no text.
    if (reply.hasOther === true) return "complete";
    if (ending !== undefined && ending !== "whole") throw notWhole(ending, reply, true);
    if (!reply.hasReasoning) {
      throw retryWith("the answer has neither text nor tool calls", EMPTY_NOTICE);
    }
    if (!isLast) return "continue";
    throw retryWith("the answer is reasoning alone, without text or tool calls", REASONING_NOTICE);
  }
  if ((!isLast && plainText === "retry") || !isReport(reply.text)) {
    throw retryWith("the answer is plain text without tool calls", EMPTY_NOTICE);
  }
  if (isLastAttempt) return "complete";
  if (ending !== undefined && ending !== "whole") throw notWhole(ending, reply);
  if (!isLast && plainText === "nudge") {
    throw retryWith("the answer is plain text while tools are offered", NUDGE_NOTICE);
  }
  return "complete";
}

function retryWith(message: string, notice: string): ProviderError {
  return new ProviderError("empty", message, { notice });
}
