import { isCuttingFinishReason } from "@toolcontract/core/adapter";
import {
  ProviderError,
  CUT_NOTICE,
  EMPTY_NOTICE,
  type ErrorKind,
  FILTERED_NOTICE,
  NUDGE_NOTICE,
  type ReplyFacts,
  SHORTER_NOTICE,
} from "../shared/index.ts";

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

/** What ended a text before its end. */
type TruncationReason = "length" | "content_filter";

const FILTERS = /content[_ -]?filter|safety|refusal|recitation|blocklist|prohibited|guardrail/i;

/** What ended a text early, by the reason that the framework or the provider gives; undefined for a whole text. */
export function truncationOf({ finishReason }: ReplyFacts): TruncationReason | undefined {
  if (finishReason === undefined) return undefined;
  if (FILTERS.test(finishReason.slice(0, 64))) return "content_filter";
  return isCuttingFinishReason(finishReason) ? "length" : undefined;
}

const NOT_WHOLE: Readonly<Record<TruncationReason, readonly [message: string, notice: string]>> = {
  length: ["the answer was cut off at its length limit", SHORTER_NOTICE],
  content_filter: ["the answer was ended by a content filter", FILTERED_NOTICE],
};

/**
 * Says whether an answer of a model completes its turn (AI Agent Contract, section 2, empty or invalid responses).
 *
 * `"complete"`: it has calls, text that may be the report, or a file. `"continue"`: it has reasoning only, and another turn may
 * follow; the reasoning stays in the conversation.
 *
 * @throws {@link ProviderError} for an answer to retry, with the notice for the next attempt alone. Its kind is `"empty"`: nothing
 *   was said, plain text is not accepted, or the answer was cut in the middle of a call; or `"cut"`: a text is not whole.
 * @example
 * ```ts
 * judgeReply(reply, { isLast: false, plainText: "accept", isReport: () => false }); // "complete", or it throws
 * ```
 * @see docs/session-limits.md
 */
export function judgeReply(reply: ReplyFacts, options: JudgeOptions): "complete" | "continue" {
  const { isLast, isLastAttempt = false, plainText, isReport } = options;
  if (reply.cut === true) {
    throw retryWith("the answer was cut off at its length limit, inside a tool call", CUT_NOTICE);
  }
  if (reply.calls.length > 0) return "complete";
  if (reply.text.trim() === "") {
    // It has content, although no text.
    if (reply.hasOther === true) return "complete";
    if (reply.hasReasoning && !isLast) return "continue";
    throw retryWith("the answer has neither text nor tool calls", EMPTY_NOTICE);
  }
  if ((!isLast && plainText === "retry") || !isReport(reply.text)) {
    throw retryWith("the answer is plain text without tool calls", EMPTY_NOTICE);
  }
  if (isLastAttempt) return "complete";
  const truncation = truncationOf(reply);
  if (truncation !== undefined) throw retryWith(...NOT_WHOLE[truncation], "cut");
  if (!isLast && plainText === "nudge") {
    throw retryWith("the answer is plain text while tools are offered", NUDGE_NOTICE);
  }
  return "complete";
}

function retryWith(message: string, notice: string, kind: ErrorKind = "empty"): ProviderError {
  return new ProviderError(kind, message, { notice });
}
