export { type MaskedValue, type Sanitizer, type ShownValue, createSanitizer } from "./sanitizer.ts";
export { type RedactionContext, type Redactor, redactText } from "./redactor.ts";
export { type SecretPlace, secretPlaceAt } from "./mask-value.ts";
export { markedSecrets, sentSecrets, withoutSecrets } from "./sent-secrets.ts";
export { REDACTED, coverSpans, hasSecret, holdsToken } from "./mask-text.ts";
export { looksRandom, quoteDeclaredName, quoteName } from "./pointer.ts";
export { clip, isPrintableAscii, logLine, oneLine, visibleJson } from "./cut-text.ts";
export {
  readCount,
  readEntries,
  readLength,
  readLine,
  readMember,
  readThrown,
} from "./read-foreign.ts";
