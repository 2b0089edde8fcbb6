import { ERROR_CODES } from "../error-code.ts";
import { ANYTHING } from "../explain/describe.ts";
import type { Finding } from "../fault.ts";
import type { BuildableFinding } from "./foreign-finding.ts";
import { setLogPath } from "./log-path.ts";
import { all, chain, type MaybePromise } from "../maybe-promise.ts";
import { deriveMessage } from "../message/derive-message.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { Redactor } from "../sanitize/redactor.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import { type SecretPlace, secretPlaceAt } from "../sanitize/secret-place.ts";
import { secretTexts, withoutTexts } from "./secret-texts.ts";
import { showActual, type Shown } from "./show-actual.ts";
import type { ValidationError } from "../validation-error.ts";

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
        const clean = withoutSecrets(finding, actual, place, secrets);
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
  const sent = secretTexts(root, places);
  return output === root ? sent : [...sent, ...secretTexts(output, places)];
}

/** The finding with words that repeat no secret. */
function withoutSecrets(
  finding: BuildableFinding,
  actual: Shown | undefined,
  place: SecretPlace | undefined,
  secrets: readonly string[],
): BuildableFinding {
  if (!hasForeignWords(finding)) return finding;
  const own =
    finding.actual && actual?.whole === false
      ? secretTexts(finding.actual.value, place, actual.hides)
      : [];
  const clean = (text: string): string => withoutTexts(text, [...own, ...secrets]);
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
