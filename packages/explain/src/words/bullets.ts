import type { ValidationError } from "../shared/index.ts";
import { deriveMessage } from "./codes.ts";
import { isListable, splitPlaces } from "./places.ts";
import { withFactsOf } from "./written-facts.ts";

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
    const key = groupOf(error);
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
  return isListable(error.fieldPath) ? keyOf(error) : error;
}

/** What errors have in common that share a bullet, whose message does not name the field. */
function keyOf(error: ValidationError): string {
  const { errorCode, message, severity, expectedValue, hint, variant } = error;
  const said = namesField(error) ? "" : message;
  return JSON.stringify([errorCode, said, severity, expectedValue, hint, variant]);
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
  return splitPlaces(group.map(({ fieldPath }) => fieldPath)).map((places) => {
    const [fieldPath = ""] = places;
    const error = group.find((one) => one.fieldPath === fieldPath) ?? first;
    return { error: isSameValue ? error : withoutActual(error), places };
  });
}

/** An error without what was sent. */
export function withoutActual(error: ValidationError): ValidationError {
  const { actualValue: _, ...rest } = error;
  return withFactsOf(error, rest);
}
