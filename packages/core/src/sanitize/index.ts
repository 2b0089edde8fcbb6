export { clip, isPrintableAscii, oneLine } from "./cut-text.ts";
export { REDACTED } from "./mask-text.ts";
export { type SecretPlace, secretPlaceAt } from "./mask-value.ts";
export { quoteDeclaredName, quoteName } from "./pointer.ts";
export { readCount, readEntries, readLength, readLine, readMember } from "./read-foreign.ts";
export { type RedactionContext, type Redactor, redactText } from "./redactor.ts";
export { type Sanitizer, createSanitizer } from "./sanitizer.ts";
export { sentSecrets, withoutSecrets } from "./sent-secrets.ts";
