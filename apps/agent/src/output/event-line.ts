import { type SessionEvent } from "@toolcontract/session";
import { messageOf } from "@toolcontract/session/adapter";
import type { Warning } from "ai";

/**
 * The warning for an event of the run, on a terminal and in a pipe alike: only what costs time or information and can be
 * changed by the configuration. Everything else is in the result.
 */
export function eventLine(event: SessionEvent): string | undefined {
  switch (event.type) {
    case "attempt-failed":
      return `${event.model}: ${reasonOf(event)}; ${next(event)}`;
    case "context-exceeded":
      return `the context window is full (${event.projected_tokens} of ${event.limit_tokens} tokens)${event.tool === undefined ? "" : `, so the result of ${event.tool} was dropped`}; the next turn is the last`;
    case "post-shrink":
      return `the last request does not fit into the context window either (${event.projected_tokens} of ${event.limit_tokens} tokens)`;
    case "tool-truncated":
      return `the result of ${event.tool} was cut from ${event.bytes} to ${event.limit} bytes (tool_response_max_bytes)`;
    case "tool-timeout":
      return `${event.tool} was given up after ${event.limit} ms (tool_timeout)`;
    case "report-truncated":
      return event.reason === "length"
        ? "the report is not whole: it was cut off at the length limit of an answer (max_output_tokens)"
        : "the report is not whole: a content filter of the provider ended it";
    case "text-accepted":
      return "the model called no tool and no report: its text was taken for the report";
    case "budget-exceeded":
      return event.limit === "maxCost"
        ? `$${event.spent.toFixed(4)} of $${event.max} are spent (max_cost); this turn is the last`
        : `${event.spent} of ${event.max} tokens are spent (max_tokens); this turn is the last`;
    case "no-progress":
      return `${event.tool} had the same result ${event.times} times for the same arguments${event.isLast ? "; the next turn is the last" : ", and the model was told so"}`;
    case "not-judged":
      // A provider without usage and tools that run elsewhere: nothing to change.
      return NOT_KNOWN.has(event.what) ? messageOf(event.detail) : undefined;
    case "report-failed":
      return "the final report was invalid; the next turn is the last";
    case "llm-request":
    case "tool-queued":
    case "entry":
    case "report-normalized":
      return undefined;
  }
}

/** What is not known and was taken as fine, or counts for nothing. */
const NOT_KNOWN: ReadonlySet<string> = new Set(["stop-reason", "price"]);

type AttemptFailed = Extract<SessionEvent, { readonly type: "attempt-failed" }>;

/** The status, and why in a few words: `529 overloaded`. */
function reasonOf({ status, reason, kind }: AttemptFailed): string {
  const words = reason.length <= MAX_REASON ? reason : `${reason.slice(0, MAX_REASON - 3)}...`;
  const isSaid = status === undefined || words.includes(String(status));
  return `${isSaid ? "" : `${status} `}${words || kind}`;
}

const MAX_REASON = 120;

/** Who is asked next, and when. */
function next({
  attempt,
  maxRetries,
  model,
  next: following,
  waits = 0,
  askedFor,
}: AttemptFailed): string {
  const asked =
    askedFor === undefined
      ? ""
      : `it asks for ${Math.ceil(askedFor / 1000)} s, more than max_rate_limit_wait; `;
  if (!following) return `${asked}no attempt is left`;
  const who = following.model === model ? "trying again" : `trying ${following.model}`;
  const when = waits === 0 ? "" : ` in ${Math.ceil(waits / 1000)} s`;
  return `${asked}${who}${when} (${attempt + 1} of ${maxRetries})`;
}

/** A warning of the SDK: a setting that a model does not have, an API that is on its way out. */
export function sdkWarningLine(warning: Warning): string {
  switch (warning.type) {
    case "unsupported":
    case "compatibility":
      return `${warning.feature} is not supported by the model${warning.details === undefined ? "" : `: ${messageOf(warning.details)}`}`;
    case "deprecated":
    case "other":
      return messageOf(warning.message);
  }
}
