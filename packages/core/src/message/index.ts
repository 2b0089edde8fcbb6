// Options
export { DEFAULT_FORMAT, type FormatOptions } from "./format-options.ts";
export type { MessageStyle } from "./styles.ts";

// Facts in words
export { deriveMessage, summarize } from "./derive-message.ts";
export { type MessageFacts, expectedFacts } from "./expected-facts.ts";
export { writeBriefly, writeExpectation } from "./write-expectation.ts";
export { writeHint, writeReason, writeVariant } from "./write-hint.ts";
export { factsOf, withFacts, writtenFacts } from "./derive-message.ts";

// Messages
export {
  type Escalation,
  EscalationError,
  type EscalationParts,
  type SerializedEscalation,
  createEscalation,
} from "./escalation.ts";
export { NO_REASON, formatFailure } from "./format-failure.ts";
export { type RejectionContent, formatAdvisories, formatRejection } from "./format-rejection.ts";
export { formatSkipNote, isSkipNote } from "./frame.ts";

// Readers of messages, and of errors that core did not write
export { type ParsedRejection, parseRejection } from "./parse-rejection.ts";
export { isValuePreview, readFacts, readHint } from "./read-words.ts";
