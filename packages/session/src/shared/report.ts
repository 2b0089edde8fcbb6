import type { AccountingEntry } from "./entries.ts";

/** The formats of a final report; `"sub-agent"` is passed on unread. */
export type ReportFormat = "markdown" | "text" | "json" | "slack-block-kit" | "sub-agent";

/** Why a run ended without an answer of the model. */
export type FailureReason =
  | "max_turns_exhausted"
  | "context_window_exceeded"
  | "attempts_exhausted"
  | "budget_exhausted"
  | "no_progress"
  | "no_answer";

/** The answer of a run (section 5). */
export interface FinalReport {
  /** Set by where the report came from, never by the model. */
  readonly status: "success" | "failure";
  /** Always the format that the session expects. */
  readonly format: ReportFormat;
  /** Milliseconds since 1970, when the report was taken. */
  readonly ts: number;
  /** The answer, in every format but JSON and Slack. */
  readonly content?: string;
  /** The answer in the format `"json"`. */
  readonly content_json?: unknown;
  /** The answer in the format `"slack-block-kit"`. */
  readonly messages?: readonly unknown[];
  /**
   * What the model added. A failure has `{ reason }`, incomplete text has `truncated: true`, and a report that a budget
   * forced has `{ budget: "maxTokens" | "maxCost" }`.
   */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** What ran of the tools whose declared effect is not none; set if the contract of the session has guardrails. */
  readonly effects?: readonly RanEffect[];
  /** True if the last try of an effect did not succeed, and the report does not say so. */
  readonly unverified?: true;
}

/** A call of a tool that changes something, and what came of it. */
export interface RanEffect {
  /** The tool's name. */
  readonly tool: string;
  /** The id of the call. */
  readonly callId: string;
  /** `"failed"` if the tool said so or threw, `"unknown"` if it was given up or never ended. */
  readonly outcome: "done" | "failed" | "unknown";
}

/** What a run always returns; `M` is the framework's message. */
export interface AIAgentResult<M> {
  /** True if the model answered, and its answer is not `unverified`. */
  readonly success: boolean;
  /** True if the last try of an effect did not succeed, and the report does not say so. */
  readonly unverified?: true;
  readonly finalReport?: FinalReport;
  /** Why the run ended early, in one line: a fatal error, spent attempts, an abort, a pause. */
  readonly error?: string;
  /** The whole conversation, what the run was given included. */
  readonly conversation: readonly M[];
  /** Every request and every execution of a tool, in the order in which they ended. */
  readonly accounting: readonly AccountingEntry[];
}
