import type { ValidationError } from "../shared/index.ts";
import { deriveMessage } from "./codes.ts";
import { isListable, splitPlaces } from "./places.ts";
import { readFacts } from "./read-words.ts";
import { factsOf, withFacts, withFactsOf, writtenFacts } from "./written-facts.ts";
import { writeHint } from "./write-hint.ts";

/** One bullet of a message: an error, and every place that has it. */
export interface Bullet {
  /** The error at the first place; without what was sent if that differs from place to place. */
  readonly error: ValidationError;
  /** All places, the first one included. */
  readonly places: readonly string[];
}

/** Puts the errors that read alike into one bullet, at the place of the first of them. */
export function toBullets(errors: readonly ValidationError[]): readonly Bullet[] {
  const groups = new Map<unknown, ValidationError[]>();
  for (const error of errors) {
    // Only errors of one code read alike.
    const isAlone = errors.every((one) => one === error || one.errorCode !== error.errorCode);
    const key = isAlone ? error : groupOf(error);
    const group = groups.get(key);
    if (group) group.push(error);
    else groups.set(key, [error]);
  }
  return [...groups.values()].flatMap(bulletsOf);
}

/** How many errors a list of bullets names. */
export function countErrors(bullets: readonly Bullet[]): number {
  return bullets.reduce((count, { places }) => count + places.length, 0);
}

/** Returns the errors that fit into this many bullets. */
export function errorsWithin(
  errors: readonly ValidationError[],
  bullets: number,
): readonly ValidationError[] {
  if (errors.length <= bullets) return errors;
  const kept = new Set([...new Set(errors.map(groupOf))].slice(0, bullets));
  return errors.filter((error) => kept.has(groupOf(error)));
}

/** The same for errors of one bullet: what they have in common, or the error itself if its place cannot stand in a list. */
function groupOf(error: ValidationError): unknown {
  return isListable(error.fieldPath) ? bulletKey(error) : error;
}

/** What errors have in common that share a bullet, whose message does not name the field. */
function bulletKey(error: ValidationError): string {
  const { errorCode, message, severity, expectedValue, hint, variant } = error;
  if (isNullToLeaveOut(error)) return JSON.stringify([errorCode, severity, variant]);
  const said = namesField(error) ? "" : message;
  return JSON.stringify([errorCode, said, severity, expectedValue, hint, variant]);
}

const LEAVE_OUT = writeHint({ kind: "leave-out" });

/** Whether null was sent for a field that may be left out: whatever it expects, the fault and the fix are the same. */
function isNullToLeaveOut(error: ValidationError): boolean {
  const { errorCode, fieldPath, message, actualValue, hint } = error;
  const isNull = errorCode === "VAL-002" && actualValue === "null" && hint === LEAVE_OUT;
  return isNull && message === deriveMessage(errorCode, fieldPath, factsOf(error));
}

/** Whether an error's message is that of its code and names the field. */
export function namesField({ errorCode, fieldPath, message }: ValidationError): boolean {
  const isNaming = errorCode === "VAL-001" || errorCode === "VAL-005";
  return isNaming && message === deriveMessage(errorCode, fieldPath, {});
}

function bulletsOf(group: readonly ValidationError[]): readonly Bullet[] {
  const [first] = group;
  if (first === undefined) return [];
  if (group.length === 1) return [{ error: first, places: [first.fieldPath] }];
  const isSameValue = group.every(({ actualValue }) => actualValue === first.actualValue);
  const isSameWish = group.every(({ expectedValue }) => expectedValue === first.expectedValue);
  return splitPlaces(group.map(({ fieldPath }) => fieldPath)).map((places) => {
    const [fieldPath = ""] = places;
    const error = group.find((one) => one.fieldPath === fieldPath) ?? first;
    const alike = isSameWish ? error : withoutExpected(error);
    return { error: isSameValue ? alike : withoutActual(alike), places };
  });
}

/** An error without what was sent. */
export function withoutActual(error: ValidationError): ValidationError {
  const { actualValue: _, ...rest } = error;
  return withFactsOf(error, rest);
}

/** An error of several places that expect different things, without any of them. */
function withoutExpected(error: ValidationError): ValidationError {
  const { expectedValue: _, ...rest } = error;
  const { types: _types, brief: _brief, ...facts } = { ...writtenFacts(error), ...readFacts(rest) };
  const message = deriveMessage(error.errorCode, error.fieldPath, facts) ?? error.message;
  const { logPath = error.fieldPath } = writtenFacts(error) ?? {};
  return withFacts({ ...rest, message }, { ...facts, logPath });
}
