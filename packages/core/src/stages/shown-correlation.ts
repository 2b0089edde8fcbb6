import type { Sanitizer } from "../sanitize/sanitizer.ts";

const MAX_LENGTH = 128;

/** A host's correlation id as logs and events show it: masked, cut and escaped. */
export function shownCorrelation(correlationId: string, sanitizer: Sanitizer): string {
  return sanitizer.text(correlationId, { maxLength: MAX_LENGTH });
}
