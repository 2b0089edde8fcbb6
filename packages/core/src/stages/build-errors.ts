import { ANYTHING } from "../explain/describe.ts";
import type { Finding } from "../explain/walk.ts";
import { setLogPath } from "./log-path.ts";
import { all, chain, type MaybePromise } from "../maybe-promise.ts";
import { deriveMessage } from "../message/derive-message.ts";
import { REDACTED } from "../sanitize/redacted.ts";
import { redactText, type Redactor } from "../sanitize/redactor.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import type { ValidationError } from "../validation-error.ts";

const MAX_TEXT = 500;
const MAX_HINT = 160;
const MAX_EXPECTED = 1_000;

/** What turning findings into errors needs. */
export interface ErrorBuilding {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly redactors: readonly Redactor[];
  /** Tells whether the tool's schema declares a field of this name. */
  readonly declares: (name: string) => boolean;
  /** The arguments in which the paths begin. */
  readonly root?: unknown;
}

/** Turns findings into errors that hold nothing secret and nothing that could forge a message. */
export function buildErrors(
  findings: readonly Finding[],
  building: ErrorBuilding,
): MaybePromise<readonly ValidationError[]> {
  return all(findings.map((finding) => buildError(finding, building)));
}

function buildError(finding: Finding, building: ErrorBuilding): MaybePromise<ValidationError> {
  const pointer = building.sanitizer.pointer(finding.path, building.declares);
  return chain(showActual(finding, pointer.shown, building), (actual) => {
    const error = assemble(finding, pointer.shown, actual, building.sanitizer);
    setLogPath(error, pointer.logged);
    return error;
  });
}

interface Shown {
  readonly text: string;
  /** False where any of it was masked or redacted. */
  readonly whole: boolean;
}

function showActual(
  finding: Finding,
  fieldPath: string,
  building: ErrorBuilding,
): MaybePromise<Shown | undefined> {
  if (!finding.actual) return undefined;
  const { sanitizer, redactors, tool, root } = building;
  const { path, sensitive = false } = finding;
  const masked = sanitizer.mask(finding.actual.value, { path, sensitive, root });
  if (masked.kind === "hidden") return { text: sanitizer.finish(masked), whole: false };
  if (redactors.length === 0) return { text: sanitizer.finish(masked), whole: !masked.changed };
  return chain(redactText(masked.text, redactors, { tool, fieldPath }), (text) => {
    if (text === undefined) return { text: REDACTED, whole: false };
    return { text: sanitizer.finish(masked, text), whole: text === masked.text && !masked.changed };
  });
}

function assemble(
  finding: Finding,
  fieldPath: string,
  actual: Shown | undefined,
  sanitizer: Sanitizer,
): ValidationError {
  const { code, severity = "error" } = finding;
  const facts = {
    errorCode: code,
    fieldPath,
    ...(saysSomething(finding.expected) && {
      expectedValue: sanitizer.text(finding.expected, { maxLength: MAX_EXPECTED }),
    }),
    ...(actual && { actualValue: actual.text }),
  };
  const hint = hintOf(finding, actual, sanitizer);
  const own =
    finding.message === undefined
      ? undefined
      : sanitizer.text(finding.message, { maxLength: MAX_TEXT, paths: true });
  return {
    ...facts,
    message:
      own ?? deriveMessage(tellsLength(finding, actual) ? facts : withoutActual(facts)) ?? code,
    severity,
    ...(hint !== undefined && { hint: sanitizer.text(hint, { maxLength: MAX_HINT }) }),
    ...(finding.variant !== undefined && {
      variant: sanitizer.text(finding.variant, { maxLength: 80 }),
    }),
  };
}

/** False where the length read off what is shown would not be that of what was sent. */
function tellsLength({ code, actual: sent }: Finding, actual: Shown | undefined): boolean {
  if (!actual || (code !== "VAL-009" && code !== "VAL-006")) return true;
  if (!actual.whole) return false;
  return (
    typeof sent?.value !== "string" ||
    actual.text.endsWith(")") ||
    actual.text === JSON.stringify(sent.value)
  );
}

function withoutActual<T extends { readonly actualValue?: string }>(
  facts: T,
): Omit<T, "actualValue"> {
  const { actualValue: _, ...rest } = facts;
  return rest;
}

function saysSomething(expected: string | undefined): expected is string {
  return expected !== undefined && expected !== ANYTHING;
}

/** A hint that repeats what was sent goes where that is not shown as it is. */
function hintOf(
  finding: Finding,
  actual: Shown | undefined,
  sanitizer: Sanitizer,
): string | undefined {
  if (finding.hintEchoes !== true || finding.hint === undefined) return finding.hint;
  // A path that is shown shortened must not come back whole.
  if (sanitizer.text(finding.hint, { paths: true }) !== sanitizer.text(finding.hint))
    return undefined;
  if (actual) return actual.whole ? finding.hint : undefined;
  const stray = finding.misnamedAs;
  return stray === undefined || sanitizer.key(stray, false).shown === stray
    ? finding.hint
    : undefined;
}
