import type { FailureReason, FinalReport, ReportFormat } from "../shared/index.ts";
import { textMessages } from "./slack-messages.ts";

const TEXTS: Readonly<Record<FailureReason, string>> = {
  max_turns_exhausted:
    "The run ended without a final report: the maximum number of turns was reached.",
  context_window_exceeded: "The run ended without a final report: the context window was exceeded.",
  attempts_exhausted: "The run ended without a final report: all attempts of a turn failed.",
  budget_exhausted: "The run ended without a final report: its budget was used up.",
  no_progress:
    "The run ended without a final report: the same call had the same result again and again.",
  no_answer: "The run ended without a final report: the model gave no answer.",
};

/**
 * What a failure report is made of, besides its reason.
 *
 * @example
 * ```ts
 * const options: FailureOptions = { format: "markdown", detail: "The provider is down" };
 * ```
 * @see docs/session.md
 */
export interface FailureOptions {
  /** The format that the session expects. */
  readonly format: ReportFormat;
  /**
   * Milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
  /** A sentence that says more; it must be safe to show. */
  readonly detail?: string | undefined;
}

/**
 * The report of a run that ended without one; its content says why, in the session's format.
 *
 * @example
 * ```ts
 * const { content } = failureReport("no_answer", { format: "markdown" });
 * ```
 * @see packages/session/README.md
 */
export function failureReport(
  reason: FailureReason,
  { format, clock = Date.now, detail }: FailureOptions,
): FinalReport {
  const text = detail === undefined ? TEXTS[reason] : `${TEXTS[reason]} ${detail}`;
  const head = { status: "failure", format, ts: clock() } as const;
  return { ...head, ...failureContent(text, reason, format), metadata: { reason } };
}

function failureContent(
  message: string,
  reason: FailureReason,
  format: ReportFormat,
): Pick<FinalReport, "content" | "content_json" | "messages"> {
  if (format === "json") return { content_json: { error: message, reason } };
  return format === "slack-block-kit" ? { messages: textMessages(message) } : { content: message };
}
