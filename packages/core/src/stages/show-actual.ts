import type { BuildableFinding } from "./foreign-finding.ts";
import { chain, type MaybePromise } from "../maybe-promise.ts";
import { REDACTED } from "../sanitize/redacted.ts";
import { redactText, type Redactor } from "../sanitize/redactor.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import type { SecretPlace } from "../sanitize/secret-place.ts";

const MAX_PREVIEW = 1_000;

/** A value as a message shows it. */
export interface Shown {
  readonly text: string;
  /** False where any of it was masked or redacted. */
  readonly whole: boolean;
  /** True where nobody may repeat any part of the value. */
  readonly hides: boolean;
}

/** What showing a value needs. */
export interface Showing {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly redactors: readonly Redactor[];
  readonly place: SecretPlace | undefined;
  readonly root?: unknown;
}

/** Masks, redacts, cuts and quotes the value that a finding is about. */
export function showActual(
  finding: BuildableFinding,
  fieldPath: string,
  showing: Showing,
): MaybePromise<Shown | undefined> {
  if (!finding.actual) return undefined;
  const { sanitizer, redactors, tool, place, root } = showing;
  const { actual, path, sensitive = false } = finding;
  const masked = sanitizer.mask(actual.value, { path, sensitive, place, root });
  if (masked.kind === "hidden")
    return { text: sanitizer.finish(masked), whole: false, hides: true };
  // A preview is quoted and cut already.
  const finish = (text: string): string =>
    finding.preview === true
      ? sanitizer.text(text, { maxLength: MAX_PREVIEW, paths: true })
      : sanitizer.finish(masked, text);
  const isWhole = !masked.changed && !(finding.preview === true && masked.text.includes(REDACTED));
  // Of a string with a secret in it the whole is one; inside an object only that which is masked.
  const hides = masked.changed && masked.kind === "text";
  if (redactors.length === 0) return { text: finish(masked.text), whole: isWhole, hides };
  return chain(redactText(masked.text, redactors, { tool, fieldPath }), (text) => {
    if (text === undefined) return { text: REDACTED, whole: false, hides: true };
    const changed = text !== masked.text;
    return { text: finish(text), whole: isWhole && !changed, hides: hides || changed };
  });
}
