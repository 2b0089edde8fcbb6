import { type ValidationError, parseRejection } from "@toolcontract/core";
import { stepOf, takeStep } from "./correct-call.ts";
import { depthOf, followHint, movesKeys, namesChange, parseHolders } from "./follow-hints.ts";
import { readArguments } from "./read-arguments.ts";

/** The longest words that are read: some phrases are searched for in quadratic time. */
const MAX_WORDS = 4_000;

/**
 * The arguments that a model would send after a message, knowing only what it sent and the message; undefined if nothing
 * would change.
 *
 * @param sent - The arguments as the model wrote them, also if they are not JSON.
 * @param message - A message of the contract, in either style.
 */
export function correctArguments(sent: string, message: string): string | undefined {
  try {
    const args = readArguments(sent);
    const errors = parseRejection(message)?.errors;
    if (args === undefined || errors === undefined) return undefined;
    const corrected = write(correctErrors(args, errors), sent);
    return corrected === write(args, sent) && isJson(sent) ? undefined : corrected;
  } catch {
    // Nested too deeply for recursion, or beyond what jsonrepair can read.
    return undefined;
  }
}

/** Corrects what each error is about, inner places first: with its hint, or else with what was expected. */
export function correctErrors(args: unknown, errors: readonly ValidationError[]): unknown {
  const missing = errors.filter(isMissing).map(({ fieldPath }) => fieldPath);
  const inOrder = errors
    .filter(isOfArguments)
    .toSorted((a, b) => depthOf(b) - depthOf(a) || rank(a) - rank(b));
  return inOrder.reduce(
    (at, error) => (namesChange(error.hint) ? followHint(at, error) : correct(at, error, missing)),
    parseHolders(args, errors),
  );
}

function correct(args: unknown, error: ValidationError, missing: readonly string[]): unknown {
  const { fieldPath, message, expectedValue = "" } = error;
  const expected = expectedValue === "" ? "" : `Expected: ${expectedValue}`;
  const words = `${message.replace(/, got \w+$/, "")}\n${expected}`.slice(0, MAX_WORDS);
  return takeStep(args, stepOf({ pointer: fieldPath, words }), missing);
}

/** Values are changed before keys are moved, and fields are added last. */
function rank(error: ValidationError): number {
  if (isMissing(error)) return 2;
  return movesKeys(error.hint ?? "") ? 1 : 0;
}

function isMissing({ errorCode }: ValidationError): boolean {
  return errorCode === "VAL-001";
}

/** The name of an unknown tool is not among the arguments. */
function isOfArguments({ errorCode }: ValidationError): boolean {
  return errorCode !== "VAL-012";
}

/** Writes arguments with line breaks if those that were sent have some. */
function write(args: unknown, sent: string): string {
  return JSON.stringify(args, undefined, sent.includes("\n") ? 2 : undefined);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
