import { messageOf, type SessionEvent } from "@toolcontract/session";
import type { Warning } from "ai";

/**
 * The warning for an event of the run, on a terminal and in a pipe alike: only what costs time or information and can be
 * changed by the configuration. Everything else is in the result.
 */
export function eventLine(event: SessionEvent): string | undefined {
  switch (event.type) {
    case "attempt-failed":
      return `${event.provider}/${event.model} failed (${event.kind}) in turn ${event.turn}, attempt ${event.attempt}; ${next(event.waits)}`;
    case "context-exceeded":
      return `the context window is full (${event.projected_tokens} of ${event.limit_tokens} tokens)${event.tool === undefined ? "" : `, so the result of ${event.tool} was dropped`}; the next turn is the last`;
    case "post-shrink":
      return `the last request does not fit into the context window either (${event.projected_tokens} of ${event.limit_tokens} tokens)`;
    case "tool-truncated":
      return `the result of ${event.tool} was cut from ${event.bytes} to ${event.limit} bytes (tool_response_max_bytes)`;
    case "tool-timeout":
      return `${event.tool} was given up after ${event.limit} ms (tool_timeout)`;
    case "report-failed":
      return "the final report was invalid; the next turn is the last";
    case "llm-request":
    case "report-normalized":
    // A provider without usage, a model without a price: nothing to change.
    case "not-judged":
      return undefined;
  }
}

function next(waits: number | undefined): string {
  if (waits === undefined) return "no attempt is left";
  return waits === 0 ? "trying again" : `trying again in ${Math.ceil(waits / 1000)} s`;
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
