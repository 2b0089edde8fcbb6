// Options
export { toolToRetry } from "./tool-to-retry.ts";
export { ANSWER } from "./frame.ts";
export { FORMAT_OPTIONS, type FormatOptions } from "./format-options.ts";
export {
  type Escalation,
  EscalationError,
  type EscalationParts,
  type SerializedEscalation,
  createEscalation,
  failureOfAgent,
  noteGivenUp,
} from "./escalation.ts";
export { FAILED_SILENTLY, NO_REASON, formatFailure } from "./format-failure.ts";
export { type RejectionContent, formatAdvisories, formatRejection } from "./format-rejection.ts";
export { formatAsk, formatSkipNote, formatUnable, isOnlyQuoted, isSkipNote } from "./frame.ts";
export { type ParsedRejection, parseRejection } from "./parse-rejection.ts";

// Facts in words

// Messages

// Readers of messages, and of errors that core did not write
