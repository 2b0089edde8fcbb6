export { type MessageFacts, deriveMessage, summarize } from "./derive-message.ts";
export { expectedFacts, shownType } from "./expected-facts.ts";
export { readFacts, readHint } from "./read-facts.ts";
export { writeBriefly, writeExpectation, writeHint, writeReason, writeVariant } from "./words.ts";
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
