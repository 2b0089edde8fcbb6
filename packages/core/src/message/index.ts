export { deriveMessage } from "./derive-message.ts";
export {
  type Escalation,
  EscalationError,
  type EscalationParts,
  type SerializedEscalation,
  createEscalation,
  summarizeError,
} from "./escalation.ts";
export { DEFAULT_FORMAT, type FormatOptions, type MessageStyle } from "./format-options.ts";
export { formatAdvisories, formatRejection } from "./format-rejection.ts";
export { type ParsedRejection, parseRejection } from "./parse-rejection.ts";
export { isValuePreview } from "./preview-text.ts";
