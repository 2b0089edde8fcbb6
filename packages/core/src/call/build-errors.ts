import {
  ERROR_CODES,
  type Finding,
  type MaybePromise,
  type ValidationError,
  all,
  chain,
} from "../shared/index.ts";
import { ANYTHING, type CompiledSchema } from "../schema/index.ts";
import type { BuildableFinding } from "./host-errors.ts";
import { deriveMessage } from "../message/index.ts";
import {
  REDACTED,
  type Redactor,
  type Sanitizer,
  type SecretPlace,
  redactText,
  secretPlaceAt,
  sentSecrets,
  withoutSecrets,
} from "../sanitize/index.ts";

const MAX_TEXT = 500;
const MAX_HINT = 160;
const MAX_EXPECTED = 1_000;

/** What turning findings into errors needs. */
export interface ErrorBuilding {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly redactors: readonly Redactor[];
  /** The tool's schema: it tells which names are declared and which values are secrets. */
  readonly schema?: () => CompiledSchema | undefined;
  /** The arguments in which the paths begin. */
  readonly root?: unknown;
  /** What the tool's validator made of the arguments: all that its rules see. */
  readonly output?: unknown;
}

/** Turns findings into errors that hold nothing secret and nothing that could forge a message. */
export function buildErrors(
  findings: readonly BuildableFinding[],
  building: ErrorBuilding,
): MaybePromise<readonly ValidationError[]> {
  if (findings.length === 0) return [];
  const schema = building.schema?.();
  const declares = (name: string): boolean => schema?.declares(name) ?? false;
  const secrets = findings.some(hasForeignWords)
    ? secretsOf(building, schema?.sensitivePlaces)
    : [];
  return all(
    findings.map((finding) => {
      const { sanitizer } = building;
      const pointer = sanitizer.pointer(finding.path, declares);
      const place = secretPlaceAt(schema?.sensitivePlaces, finding.path);
      return chain(showActual(finding, pointer.shown, { ...building, place }), (actual) => {
        const clean = withoutSentSecrets(finding, actual, place, secrets);
        const error = assemble(clean, pointer.shown, actual, sanitizer);
        setLogPath(error, pointer.logged);
        return error;
      });
    }),
  );
}

/** Texts of rules, validators and hosts may repeat any value; all others are made of the schema. */
function hasForeignWords({ message, foreign }: BuildableFinding): boolean {
  return message !== undefined || foreign === true;
}

function secretsOf(
  { root, output }: ErrorBuilding,
  places: SecretPlace | undefined,
): readonly string[] {
  const sent = sentSecrets(root, places);
  return output === root ? sent : [...sent, ...sentSecrets(output, places)];
}

/** The finding with words that repeat no secret. */
function withoutSentSecrets(
  finding: BuildableFinding,
  actual: Shown | undefined,
  place: SecretPlace | undefined,
  secrets: readonly string[],
): BuildableFinding {
  if (!hasForeignWords(finding)) return finding;
  const own =
    finding.actual && actual?.whole === false
      ? sentSecrets(finding.actual.value, place, actual.hides)
      : [];
  const clean = (text: string): string => withoutSecrets(text, [...own, ...secrets]);
  const { message, expected, hint } = finding;
  return {
    ...finding,
    ...(message !== undefined && { message: clean(message) }),
    ...(expected !== undefined && { expected: clean(expected) }),
    ...(hint !== undefined && { hint: clean(hint) }),
  };
}

function assemble(
  finding: BuildableFinding,
  fieldPath: string,
  actual: Shown | undefined,
  sanitizer: Sanitizer,
): ValidationError {
  const { code, severity = "error" } = finding;
  const facts = {
    errorCode: code,
    fieldPath,
    ...(saysSomething(finding.expected) && {
      expectedValue: hasForeignWords(finding)
        ? sanitizer.text(finding.expected, { maxLength: MAX_EXPECTED })
        : sanitizer.schemaWords(finding.expected, MAX_EXPECTED),
    }),
    ...(actual && { actualValue: actual.text }),
  };
  const hint = hintOf(finding, actual, sanitizer);
  return {
    ...facts,
    message: messageOf(finding, facts, actual, sanitizer),
    severity,
    ...(hint !== undefined && {
      hint:
        finding.hintEchoes === true || hasForeignWords(finding)
          ? sanitizer.text(hint, { maxLength: MAX_HINT })
          : sanitizer.schemaWords(hint, MAX_HINT),
    }),
    ...(finding.variant !== undefined && {
      variant: sanitizer.text(finding.variant, { maxLength: 80 }),
    }),
  };
}

/** A rule's own message, or the one that follows from the facts; a foreign one only where none follows. */
function messageOf(
  finding: BuildableFinding,
  facts: Parameters<typeof deriveMessage>[0],
  actual: Shown | undefined,
  sanitizer: Sanitizer,
): string {
  const own =
    finding.message === undefined
      ? undefined
      : sanitizer.text(finding.message, { maxLength: MAX_TEXT, paths: true });
  if (own !== undefined && finding.foreign !== true) return own;
  const brief = deriveMessage({ ...facts, actualValue: undefined });
  // An error of our own that was serialised keeps the message that held a length back.
  if (own !== undefined && own === brief) return own;
  const derived = tellsLength(finding, actual) ? deriveMessage(facts) : brief;
  return derived ?? own ?? ERROR_CODES[finding.code];
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

const MAX_PREVIEW = 1_000;

/** A value as a message shows it. */
interface Shown {
  readonly text: string;
  /** False where any of it was masked or redacted. */
  readonly whole: boolean;
  /** True where nobody may repeat any part of the value. */
  readonly hides: boolean;
}

/** What showing a value needs. */
interface Showing {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly redactors: readonly Redactor[];
  readonly place: SecretPlace | undefined;
  readonly root?: unknown;
}

/** Masks, redacts, cuts and quotes the value that a finding is about. */
function showActual(
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

const logPaths = new WeakMap<ValidationError, string>();

/** Notes under which path an error is logged, where undeclared names are stars. */
function setLogPath(error: ValidationError, path: string): void {
  logPaths.set(error, path);
}

/** The path under which an error is logged. */
export function logPathOf(error: ValidationError): string {
  return logPaths.get(error) ?? "*";
}

/** Tells whether core built this error, so that it is sanitised. */
export function isBuilt(error: ValidationError): boolean {
  return logPaths.has(error);
}
