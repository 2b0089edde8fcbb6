import { type ValidationError, parseRejection } from "@toolcontract/core";
import { pointerKeys } from "@toolcontract/core/adapter";
import { changeInTurn } from "./follow-hints.ts";
import { followHint, namesChange } from "./hint-changes.ts";
import { valueAt, withValue } from "./json-pointer.ts";
import { placeholderFor } from "./placeholder.ts";
import { readArguments } from "./read-arguments.ts";
import { readExpectation } from "./read-expectation.ts";

/** What the hints of a message make of a call. */
export interface Correction {
  /** The arguments as JSON. */
  readonly text: string;
  /** In the order of the message. */
  readonly changes: readonly Change[];
}

/** One change of a call. */
export interface Change {
  /** Where, as the message writes it: `/path`, or `(arguments)`; `(tool)` if the name of the tool changes. */
  readonly place: string;
  /** The hint that was followed. Without one only the model knows the value, and a placeholder stands for it. */
  readonly hint?: string;
}

/** The longest words that are read: some phrases are searched for in quadratic time. */
const MAX_WORDS = 4_000;

/** What is wrong with one value: without a hint, the message does not say which value is right. */
const OF_A_VALUE: ReadonlySet<string> = new Set([
  "VAL-002",
  "VAL-003",
  "VAL-007",
  "VAL-008",
  "VAL-009",
  "VAL-010",
]);

/**
 * Does what the hints of a message say, knowing only the message and what was sent. A value that no hint names is left to
 * the model, as a placeholder.
 *
 * @param sent - The arguments as the model wrote them, valid JSON or not.
 * @param message - A message of the contract, in either style.
 * @returns Nothing if there is no hint to follow, if the message forbids another call, or if the arguments were cut off:
 * what is missing of them nobody but the model can know.
 */
export function applyHints(sent: string, message: string): Correction | undefined {
  const parsed = parseRejection(message);
  if (parsed?.status !== "rejected") return undefined;
  const { errors } = parsed;
  const [first] = errors;
  if (first?.errorCode === "VAL-012") return followed(sent, first);
  try {
    const args = readArguments(sent);
    if (args === undefined) return undefined;
    if (first?.errorCode === "VAL-004") return followed(write(args, sent), first);
    return correct(args, errors, sent);
  } catch {
    // Nested too deeply for recursion.
    return undefined;
  }
}

/** The one change of a call of which nothing else was checked. */
function followed(text: string, { errorCode, hint }: ValidationError): Correction | undefined {
  const place = errorCode === "VAL-012" ? "(tool)" : "(arguments)";
  return hint === undefined ? undefined : { text, changes: [{ place, hint }] };
}

function correct(
  args: unknown,
  errors: readonly ValidationError[],
  sent: string,
): Correction | undefined {
  const changed = new Set<ValidationError>();
  const corrected = changeInTurn(args, errors, (at, error) => {
    const next = namesChange(error.hint) ? followHint(at, error) : leaveToModel(at, error);
    // A string that holds an object was parsed before the first change.
    const [before, now] = [args, at].map((value) => typeof valueAt(value, error.fieldPath));
    const isParsed = before === "string" && now === "object";
    if (next !== at || isParsed) changed.add(error);
    return next;
  });
  const changes = errors.filter((error) => changed.has(error)).map(changeOf);
  if (changes.every(({ hint }) => hint === undefined)) return undefined;
  return { text: write(corrected, sent), changes };
}

function changeOf({ fieldPath, hint }: ValidationError): Change {
  const place = fieldPath === "" ? "(arguments)" : fieldPath;
  return hint !== undefined && namesChange(hint) ? { place, hint } : { place };
}

/** Puts a placeholder where a value is missing or wrong. */
function leaveToModel(
  args: unknown,
  { errorCode, fieldPath, expectedValue = "" }: ValidationError,
) {
  const sent = valueAt(args, fieldPath);
  const isWrong = errorCode === "VAL-002" || typeof sent !== "object";
  const isLeft =
    sent === undefined ? errorCode === "VAL-001" : isWrong && OF_A_VALUE.has(errorCode);
  // The last key that is a name and no index of an array.
  const name = pointerKeys(fieldPath).findLast((key) => !/^\d+$/.test(key));
  if (!isLeft || name === undefined) return args;
  const expected = readExpectation(`Expected: ${expectedValue}`.slice(0, MAX_WORDS));
  return withValue(args, fieldPath, placeholderFor(name, expected));
}

/** Writes arguments with line breaks if those that were sent have some. */
function write(args: unknown, sent: string): string {
  return JSON.stringify(args, undefined, sent.includes("\n") ? 2 : undefined);
}
