import {
  type Expectation,
  type Finding,
  type Hint,
  type MaybePromise,
  type ValidationError,
  all,
  chain,
  meaningOf,
} from "../shared/index.ts";
import {
  type MessageFacts,
  deriveMessage,
  readGot,
  readWanted,
  withFacts,
  writeBriefly,
  writeExpectation,
  writeHint,
  writeReason,
  writeVariant,
} from "../words/index.ts";
import {
  REDACTED,
  type Redactor,
  type Sanitizer,
  type SecretPlace,
  type ShownValue,
  looksRandom,
  markedSecrets,
  redactText,
  secretPlaceAt,
  sentSecrets,
  withoutSecrets,
} from "../sanitize/index.ts";
import type { CompiledSchema } from "../schema/index.ts";
import { saysNoSecret } from "./no-secret.ts";
import { withDigits } from "./rounded-numbers.ts";
import { withNote, withoutSemicolons } from "./with-note.ts";

const MAX_MESSAGE = 500;
const MAX_HINT = 480;
const MAX_EXPECTED = 1_000;
const MAX_VARIANT = 80;
const MAX_PREVIEW = 1_000;

/** The context for building errors from findings. */
export interface ErrorBuilding {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly redactors: readonly Redactor[];
  /** The tool's schema, which declares names and marks secrets. */
  readonly schema?: () => CompiledSchema | undefined;
  /** The arguments that the paths start from. */
  readonly root?: unknown;
  /** The validator's output, which is all that the tool's rules see. */
  readonly output?: unknown;
}

/** Builds errors that contain no secret and nothing that could forge a message. */
export function buildErrors(
  findings: readonly Finding[],
  building: ErrorBuilding,
): MaybePromise<readonly ValidationError[]> {
  if (findings.length === 0) return [];
  const schema = building.schema?.();
  const declares = (name: string): boolean => schema?.declares(name) ?? false;
  const secrets = findings.some(mayRepeatSent)
    ? [...secretsOf(building, schema?.sensitivePlaces), ...secretKeys(findings, declares)]
    : [];
  const marked = markedSecrets(building.root, schema?.sensitivePlaces);
  const redactors =
    marked.length > 0
      ? [(text: string) => withoutSecrets(text, marked), ...building.redactors]
      : building.redactors;
  // Text that does not parse has its secrets anywhere.
  const hasExcerpt = redactors.length === 0 && schema?.sensitivePlaces === undefined;
  return all(
    findings.map((finding) => {
      const { sanitizer } = building;
      const pointer = sanitizer.pointer(finding.path, declares);
      const place = secretPlaceAt(schema?.sensitivePlaces, finding.path);
      return chain(
        showActual(finding, pointer.shown, { ...building, redactors, place }),
        (actual) => {
          const own = ownSecrets(finding, actual, place);
          const shown = hasExcerpt ? finding : withoutExcerpt(finding);
          const words = writeWords(shown, actual, sanitizer, [...own, ...secrets]);
          const { path, sensitive = false } = finding;
          const where = { path, sensitive, place, root: building.root };
          const expected = withNote(words, finding, sanitizer, where);
          return assemble(finding, { ...words, expected }, pointer, actual);
        },
      );
    }),
  );
}

/** A redactor sees values, not the text around a place that is not JSON. */
function withoutExcerpt(finding: Finding): Finding {
  if (finding.reason?.kind !== "invalid-json") return finding;
  const { near: _, ...reason } = finding.reason;
  return { ...finding, reason };
}

/** Drops errors that read like an earlier one: hidden keys all do. */
export function withoutRepeats(errors: readonly ValidationError[]): readonly ValidationError[] {
  if (errors.length < 2) return errors;
  const places = new Set(errors.map(({ errorCode, fieldPath }) => `${fieldPath} ${errorCode}`));
  if (places.size === errors.length) return errors;
  const texts = errors.map((error) => JSON.stringify(error));
  return errors.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
}

/** Rules, validators and hosts may quote any value; all other words come from the schema. */
function hasForeignWords({ message, reason, foreign }: Finding): boolean {
  return message !== undefined || reason !== undefined || foreign === true;
}

function mayRepeatSent(finding: Finding): boolean {
  return finding.issued === true || finding.own !== undefined || hasForeignWords(finding);
}

function secretsOf(
  { root, output }: ErrorBuilding,
  places: SecretPlace | undefined,
): readonly string[] {
  const sent = sentSecrets(root, places);
  return output === root ? sent : [...sent, ...sentSecrets(output, places)];
}

/** The secrets inside the finding's own value. */
function ownSecrets(
  finding: Finding,
  actual: Shown | undefined,
  place: SecretPlace | undefined,
): readonly string[] {
  return mayRepeatSent(finding) && finding.actual && actual?.whole === false
    ? sentSecrets(finding.actual.value, place, actual.hides)
    : [];
}

/** The keys that the pointers hide as secrets. */
function secretKeys(
  findings: readonly Finding[],
  declares: (name: string) => boolean,
): readonly string[] {
  const keys = findings.flatMap(({ path }) =>
    path.filter((segment) => typeof segment === "string"),
  );
  return [...new Set(keys)].filter((key) => !declares(key) && looksRandom(key));
}

/** A finding in words: sanitized, but not yet an error. */
interface ErrorWords {
  readonly message: string | undefined;
  readonly expected: string | undefined;
  readonly hint: string | undefined;
  readonly variant: string | undefined;
  /** Writes the expectation shorter, for a message without room. */
  readonly brief: (() => string) | undefined;
}

/** Writes a finding without repeating a secret. */
function writeWords(
  finding: Finding,
  actual: Shown | undefined,
  sanitizer: Sanitizer,
  secrets: readonly string[],
): ErrorWords {
  const { message, reason, expected, hint, own: authors, variant } = finding;
  const isForeign = hasForeignWords(finding);
  const foreign = (text: string, options: { maxLength: number; paths?: boolean }): string =>
    sanitizer.text(withoutSecrets(text, secrets), options);
  const known = (text: string): string =>
    finding.issued === true ? withoutSecrets(text, secrets) : text;
  const own = (text: string, maxLength: number): string =>
    isForeign ? foreign(text, { maxLength }) : sanitizer.schemaWords(known(text), maxLength);
  const sentence = message ?? (reason && writeReason(reason));
  const fix = hint && canShowHint(finding, actual, sanitizer) ? writeHint(hint) : undefined;
  const wanted = expected && isDefinite(expected) ? writeExpectation(expected) : undefined;
  return {
    message: said(sentence, (text) => foreign(text, { maxLength: MAX_MESSAGE, paths: true })),
    expected: said(wanted, (text) => own(text, MAX_EXPECTED)),
    hint:
      said(authors, (text) =>
        withRewrite(foreign(withoutSemicolons(text), { maxLength: MAX_HINT }), hint, fix),
      ) ??
      said(fix, (text) =>
        hint?.echoes === true ? foreign(text, { maxLength: MAX_HINT }) : own(text, MAX_HINT),
      ),
    variant: said(variant && writeVariant(variant), (text) =>
      sanitizer.text(text, { maxLength: MAX_VARIANT }),
    ),
    brief:
      expected && expected.kind !== "words"
        ? () => own(writeBriefly(expected), MAX_EXPECTED)
        : undefined,
  };
}

/** The hints to send the same value in another form or place, which no words of an author speak against. */
const REWRITES: ReadonlySet<string> = new Set([
  "unquote",
  "unstringify",
  "unwrap-array",
  "unwrap-object",
  "wrap-in-array",
  "rename-to",
  "rename",
  "lift",
  "move-into",
  "move-up",
] satisfies Hint["kind"][]);

/** What the author says of a fault, and how to send the same value right. */
function withRewrite(words: string, hint: Hint | undefined, fix: string | undefined): string {
  const isRewrite = fix !== undefined && hint !== undefined && REWRITES.has(hint.kind);
  return isRewrite && words.trim() !== "" ? `${words} (${fix})` : words;
}

/** Omits blank words, which a rule or host may return. */
function said(text: string | undefined, clean: (text: string) => string): string | undefined {
  return text === undefined ? undefined : clean(text).trim() || undefined;
}

function assemble(
  finding: Finding,
  { message, expected, hint, variant, brief }: ErrorWords,
  pointer: { readonly shown: string; readonly logged: string },
  actual: Shown | undefined,
): ValidationError {
  const { code: errorCode, severity = "error" } = finding;
  // A note alone is the author's words, not a type.
  const wanted = readWanted(errorCode, finding.expected && expected);
  const facts = actual ? { ...wanted, got: { type: actual.type, length: actual.length } } : wanted;
  const shown = showsLength(errorCode, finding.actual, actual) ? facts : wanted;
  const error: ValidationError = {
    errorCode,
    fieldPath: pointer.shown,
    ...(expected !== undefined && { expectedValue: expected }),
    ...(actual && { actualValue: actual.text }),
    message: messageOfFinding(finding, message, pointer.shown, wanted, shown),
    severity,
    ...(hint !== undefined && { hint }),
    ...(variant !== undefined && { variant }),
  };
  const tooLong = finding.hint?.kind === "send-shorter";
  return withFacts(error, { ...facts, logPath: pointer.logged, tooLong, brief });
}

/** A rule's own message, or one derived from the shown facts; a foreign one only if none can be derived. */
function messageOfFinding(
  { code, foreign }: Finding,
  own: string | undefined,
  fieldPath: string,
  wanted: MessageFacts,
  shown: MessageFacts,
): string {
  if (own !== undefined && foreign !== true) return own;
  // A serialized error of core's keeps a message without the length.
  if (own !== undefined && own === deriveMessage(code, fieldPath, wanted)) return own;
  return deriveMessage(code, fieldPath, shown) ?? own ?? meaningOf(code) ?? "Rule failed";
}

/** False if the shown length may differ from the length of what was sent. */
function showsLength(
  code: Finding["code"],
  sent: Finding["actual"],
  actual: Shown | undefined,
): boolean {
  if (!actual || (code !== "VAL-009" && code !== "VAL-006")) return true;
  if (!actual.whole) return false;
  const isCounted = actual.cut === true && actual.length !== undefined;
  return typeof sent?.value !== "string" || isCounted || actual.text === JSON.stringify(sent.value);
}

function isDefinite(expected: Expectation): boolean {
  if (expected.kind === "either" || expected.kind === "branches")
    return expected.of.some(isDefinite);
  return expected.kind !== "anything";
}

/** Whether a hint may be shown: if it repeats the value, only when the value itself is shown unchanged. */
function canShowHint(
  { hint, misnamedAs }: Finding,
  actual: Shown | undefined,
  sanitizer: Sanitizer,
): boolean {
  if (hint?.echoes !== true) return true;
  const words = writeHint(hint);
  // A hint must not show a file path that the message shortens; without a slash there is none.
  const mayBePath = /[\\/]/.test(words);
  if (mayBePath && sanitizer.text(words, { paths: true }) !== sanitizer.text(words)) return false;
  if (actual) return actual.whole;
  const key = hint.kind === "lift" ? hint.from : misnamedAs;
  if (key === undefined || sanitizer.key(key, false).shown === key) return true;
  // Few marks around the name that is meant hide nothing.
  return hint.kind === "rename" && PADDED.exec(key)?.[1] === hint.to;
}

const PADDED = /^[\s"':=,.]{0,3}(.*?)[\s"':=,.]{0,3}$/s;

/** A value as a message shows it. */
interface Shown extends ShownValue {
  /** False if any of it was masked or redacted. */
  readonly whole: boolean;
  /** True if no part of the value may be repeated. */
  readonly hides: boolean;
}

/** The context for showing a value. */
interface Showing {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly redactors: readonly Redactor[];
  readonly place: SecretPlace | undefined;
  readonly root?: unknown;
}

/** Masks, redacts, cuts and quotes the value that a finding is about. */
function showActual(
  finding: Finding,
  fieldPath: string,
  showing: Showing,
): MaybePromise<Shown | undefined> {
  if (!finding.actual) return undefined;
  const { sanitizer, redactors, tool, place, root } = showing;
  const { actual, path, sensitive = false } = finding;
  const isHarmless =
    !sensitive && (place === undefined || place.isElsewhere === true) && saysNoSecret(finding);
  const where = isHarmless ? { path: [], sensitive, place } : { path, sensitive, place, root };
  const masked = withDigits(sanitizer.mask(actual.value, where), actual.digits, (text) =>
    sanitizer.mask(text, where),
  );
  if (masked.kind === "hidden") return { ...sanitizer.finish(masked), whole: false, hides: true };
  // A preview is already quoted and cut.
  const finish = (text: string): ShownValue =>
    finding.preview === true
      ? readPreview(sanitizer.text(text, { maxLength: MAX_PREVIEW, paths: true }))
      : sanitizer.finish(masked, text);
  const isWhole = !masked.changed && !(finding.preview === true && masked.text.includes(REDACTED));
  // A string with a secret in it is hidden whole; inside an object only what is masked.
  const hides = masked.changed && masked.kind === "text";
  if (redactors.length === 0) return { ...finish(masked.text), whole: isWhole, hides };
  return chain(redactText(masked.text, redactors, { tool, fieldPath }), (text) => {
    if (text === undefined) return { text: REDACTED, whole: false, hides: true };
    const changed = text !== masked.text;
    return { ...finish(text), whole: isWhole && !changed, hides: hides || changed };
  });
}

/** A value that the host has already quoted and cut. */
function readPreview(text: string): ShownValue {
  return { text, ...readGot(text), cut: text.endsWith(")") };
}
