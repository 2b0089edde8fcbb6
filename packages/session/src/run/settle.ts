import { classifyError, messageOf, truncationOf } from "../requests/index.ts";
import { failureReport } from "../report/index.ts";
import {
  type AIAgentResult,
  ProviderError,
  type ErrorKind,
  FATAL,
  type FailureReason,
  type FinalReport,
  type ForcedReason,
  type ReplyFacts,
  REPORT_TOOL,
  RunOver,
  TurnFailed,
} from "../shared/index.ts";
import type { RunState } from "./state.ts";
import { textReport } from "./text-report.ts";

/** How the framework's loop ended. */
export interface LoopEnd {
  /** What it threw or rejected with, if it did. */
  readonly thrown?: unknown;
  /** Why it waits for somebody, if it does: the contract has no such state. */
  readonly paused?: string | undefined;
  /** What a limit or an escalation said when it ended the loop, if one did: what came last is not an answer of the model then. */
  readonly endedBy?: string | undefined;
}

/** Everything of the result but the conversation. */
export type RunVerdict = Pick<
  AIAgentResult<never>,
  "success" | "finalReport" | "error" | "unverified"
>;

/** Decides what a run has come to: an answer that is whole stays one, whatever came after it, unless it hides what failed. */
export function settle(state: RunState, end: LoopEnd): RunVerdict {
  const verdict = verdictOf(state, end);
  const { finalReport } = verdict;
  if (!finalReport) return verdict;
  const { ran } = state.effects;
  const report = { ...finalReport, ...(ran && { effects: ran }) };
  const unsaid =
    verdict.success && state.limits.unverified !== "ignore"
      ? state.effects.unsaid(finalReport)
      : [];
  if (unsaid.length === 0) return { ...verdict, finalReport: report };
  const words = unsaid.map(({ tool, outcome }) => `${tool}: ${outcome}`).join(", ");
  return {
    success: false,
    unverified: true,
    error: messageOf(`the report does not say what failed (${words})`),
    finalReport: { ...report, unverified: true },
  };
}

function verdictOf(state: RunState, end: LoopEnd): RunVerdict {
  const { paused, endedBy } = end;
  const thrown = end.thrown instanceof RunOver ? undefined : end.thrown;
  const finalReport =
    state.report ??
    (endedBy === undefined
      ? (lastText(state) ?? fallbackText(state, thrown) ?? questionedReport(state, thrown))
      : undefined);
  if (finalReport) {
    // Text that was only asked about is complete: that no better text came is not an error of the run.
    const isWhole = !state.report && state.wasNudged && !isTruncated(finalReport);
    const isQuiet = thrown === undefined || isWhole || errorKindOf(thrown) === "aborted";
    return {
      success: true,
      finalReport: reportWithBudget(finalReport, state),
      ...(!isQuiet && { error: messageOf(thrown) }),
    };
  }
  const failure =
    thrown !== undefined && errorKindOf(thrown) === "aborted"
      ? thrown
      : (state.failure ?? state.broken ?? thrown);
  if (failure !== undefined) return failedVerdict(failure, state);
  if (paused !== undefined) return { success: false, error: `paused: ${paused}` };
  if (endedBy !== undefined) {
    return { success: false, error: endedBy, finalReport: synthetic("no_answer", state, endedBy) };
  }
  return { success: false, finalReport: synthetic(failureReasonOf(state), state) };
}

/** The last answer as the report: any text if it was accepted, else only that of the last turn. */
function lastText({
  reply,
  limits,
  turns,
  lastTurn,
  wasNudged,
}: RunState): FinalReport | undefined {
  if (!reply || reply.text.trim() === "") return undefined;
  // What stands beside a report that was refused is commentary.
  if (reply.calls.some(({ name }) => name === REPORT_TOOL)) return undefined;
  const isLast = turns >= lastTurn;
  if (!isLast && (limits.plainText === "retry" || reply.calls.length > 0)) return undefined;
  if (!isLast && wasNudged) limits.onEvent({ type: "text-accepted" });
  return reportOfText(reply, limits);
}

/** The text that the model was asked to improve, if no attempt did: it is better than nothing. */
function fallbackText(state: RunState, thrown: unknown): FinalReport | undefined {
  const { fallback, limits } = state;
  const failure = state.failure ?? state.broken;
  if (!fallback || (!failure && state.reply)) return undefined;
  const isFatal = [thrown, failure].some((one) => {
    const kind = errorKindOf(one);
    return kind !== undefined && FATAL.has(kind);
  });
  return isFatal ? undefined : reportOfText(fallback, limits);
}

/** The report about which the model was asked, if it gave no other. */
function questionedReport({ questioned }: RunState, thrown: unknown): FinalReport | undefined {
  const kind = errorKindOf(thrown);
  return kind !== undefined && FATAL.has(kind) ? undefined : questioned;
}

function reportOfText(reply: ReplyFacts, limits: RunState["limits"]): FinalReport | undefined {
  const report = textReport(reply.text, limits);
  const reason = truncationOf(reply);
  if (!report || reason === undefined) return report;
  limits.onEvent({ type: "report-truncated", reason });
  return { ...report, metadata: { ...report.metadata, truncated: true } };
}

function isTruncated({ metadata }: FinalReport): boolean {
  return metadata?.["truncated"] === true;
}

function reportWithBudget(report: FinalReport, { overBudget: budget }: RunState): FinalReport {
  return budget === undefined ? report : { ...report, metadata: { ...report.metadata, budget } };
}

const FORCED: Readonly<Partial<Record<ForcedReason, FailureReason>>> = {
  context: "context_window_exceeded",
  budget: "budget_exhausted",
  no_progress: "no_progress",
};

function failureReasonOf({ forced, turns, lastTurn }: RunState): FailureReason {
  if (turns < lastTurn) return "no_answer";
  return (forced && FORCED[forced.reason]) ?? "max_turns_exhausted";
}

function failedVerdict(failure: unknown, state: RunState): RunVerdict {
  const error = messageOf(failure);
  const kind = errorKindOf(failure);
  if (kind !== undefined && FATAL.has(kind)) return { success: false, error };
  const reason: FailureReason =
    kind === undefined
      ? "no_answer"
      : kind === "context"
        ? "context_window_exceeded"
        : "attempts_exhausted";
  return { success: false, error, finalReport: synthetic(reason, state, error) };
}

/** The kind of a failure of the model; of other errors, only an abort has one. */
function errorKindOf(failure: unknown): ErrorKind | undefined {
  if (failure instanceof TurnFailed || failure instanceof ProviderError) return failure.kind;
  return classifyError(failure) === "aborted" ? "aborted" : undefined;
}

function synthetic(reason: FailureReason, { limits }: RunState, detail?: string): FinalReport {
  const { expectedOutputFormat: format, clock } = limits;
  return failureReport(reason, { format, clock, ...(detail !== undefined && { detail }) });
}
