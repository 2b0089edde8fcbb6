export { type MessageFacts, deriveMessage, summarize } from "./derive-message.ts";
export { expectedFacts } from "./expected-facts.ts";
export { readFacts, readHint } from "./read-facts.ts";
export { writeBriefly, writeExpectation } from "./write-expectation.ts";
export { writeHint, writeReason, writeVariant } from "./write-hint.ts";
export { type WrittenFacts, factsOf, withFacts, writtenFacts } from "./written-error.ts";
export {
  type Escalation,
  EscalationError,
  type EscalationParts,
  type SerializedEscalation,
  createEscalation,
} from "./escalation.ts";
export { DEFAULT_FORMAT, type FormatOptions, type MessageStyle } from "./format-options.ts";
export { formatAdvisories, formatRejection } from "./format-rejection.ts";
export { type ParsedRejection, parseRejection } from "./parse-rejection.ts";
export { isValuePreview } from "./preview-text.ts";
