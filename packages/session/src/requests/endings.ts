import { type Ending, endingOf } from "@toolcontract/core/adapter";
import {
  ProviderError,
  type ErrorKind,
  FILTERED_NOTICE,
  type ReplyFacts,
  SHORTER_NOTICE,
  UNREADABLE_NOTICE,
} from "../shared/index.ts";

/** How an answer ended; `"broken"` for a stream that stopped without a reason. */
export type ReplyEnding = Ending | "broken";

/** Says how an answer ended; undefined if it was read whole and its reason is missing or in no list. */
export function replyEnding({
  finishReason,
  failed,
  streamed = false,
}: ReplyFacts): ReplyEnding | undefined {
  if (failed !== undefined) return "failure";
  if (finishReason !== undefined) return endingOf(finishReason);
  return streamed ? "broken" : undefined;
}

/** What ended a text before its end. */
export type TruncationReason = "length" | "content_filter";

/** What ended a text early, by the reason that the framework or the provider gives; undefined for a whole text. */
export function truncationOf(reply: ReplyFacts): TruncationReason | undefined {
  const ending = replyEnding(reply);
  if (ending === "filter" || ending === "refusal") return "content_filter";
  return ending === "length" ? "length" : undefined;
}

/** What is said of an answer that is not whole. */
interface NotWhole {
  readonly kind: ErrorKind;
  /** For the operator. */
  readonly message: string;
  /** For the model, if the words of the next attempt can help. */
  readonly notice?: string;
  /** What the operator reads if nothing was said at all. */
  readonly unsaid?: string;
}

/** The table of endings: what an attempt failed with, by the way in which its answer ended. */
const NOT_WHOLE: Readonly<Record<Exclude<ReplyEnding, "whole">, NotWhole>> = {
  broken: { kind: "network", message: "the stream ended before the answer did" },
  failure: { kind: "model", message: "the provider ended the answer with an error" },
  pause: { kind: "cut", message: "the answer was paused before it was complete" },
  malformed: {
    kind: "empty",
    message: "the provider could not read the call that the model wrote",
    notice: UNREADABLE_NOTICE,
  },
  length: {
    kind: "cut",
    message: "the answer was cut off at its length limit",
    notice: SHORTER_NOTICE,
    unsaid:
      "the output limit was spent before the answer began, on reasoning or on nothing that is shown; raise the target's maxOutputTokens (max_output_tokens), or lower its reasoning effort",
  },
  filter: {
    kind: "cut",
    message: "the answer was ended by a content filter",
    notice: FILTERED_NOTICE,
    unsaid:
      "a content filter of the provider withheld the answer; change the prompt, the filter's settings or the target",
  },
  refusal: {
    kind: "cut",
    message: "the answer was ended by a refusal of the model",
    notice: FILTERED_NOTICE,
    unsaid: "the model refused to answer; change the prompt or the target",
  },
};

/** The error of an attempt whose answer is not whole; `isUnsaid` if it has neither text nor calls. */
export function notWhole(
  ending: Exclude<ReplyEnding, "whole">,
  { finishReason, failed }: ReplyFacts,
  isUnsaid = false,
): ProviderError {
  const { kind, message, notice, unsaid = message } = NOT_WHOLE[ending];
  const said = isUnsaid ? unsaid : message;
  const given = isUnsaid || kind !== "cut" ? (failed ?? finishReason) : undefined;
  const named = given === undefined ? said : `${said} (${given.slice(0, 200)})`;
  // Asking again with the same limit would spend it again.
  const isSpent = isUnsaid && ending === "length";
  return new ProviderError(kind, named, {
    ...(notice !== undefined && !isSpent && { notice }),
    ...(isSpent && { isSpent }),
  });
}
