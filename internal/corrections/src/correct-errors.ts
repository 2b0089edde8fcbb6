import type { ValidationError } from "@toolcontract/core";
import { stepOf, takeStep } from "./correct-call.ts";
import { followHint, movesKeys, namesChange, parseHolders } from "./hint-changes.ts";

/** The longest words that are read: some phrases are searched for in quadratic time. */
const MAX_WORDS = 4_000;

/** Does what the hints of a message say and nothing else; undefined if no error has a hint. */
export function followHints(args: unknown, errors: readonly ValidationError[]): unknown {
  const hinted = errors.filter(({ hint }) => hint !== undefined);
  return hinted.length === 0 ? undefined : changeInTurn(args, hinted, followHint);
}

/** Corrects each error with its hint, or else with what was expected. */
export function correctErrors(args: unknown, errors: readonly ValidationError[]): unknown {
  const missing = errors.filter(isMissing).map(({ fieldPath }) => fieldPath);
  return changeInTurn(args, errors.filter(isOfArguments), (at, error) =>
    namesChange(error.hint) ? followHint(at, error) : correct(at, error, missing),
  );
}

/** Makes a change for each error: at inner places first, at each place before keys are moved and fields added. */
function changeInTurn(
  args: unknown,
  errors: readonly ValidationError[],
  change: (args: unknown, error: ValidationError) => unknown,
): unknown {
  const inOrder = errors.toSorted((a, b) => depthOf(b) - depthOf(a) || rank(a) - rank(b));
  return inOrder.reduce(change, parseHolders(args, errors));
}

function depthOf({ fieldPath }: ValidationError): number {
  return fieldPath.split("/").length;
}

function rank(error: ValidationError): number {
  if (movesKeys(error.hint ?? "")) return 1;
  return isMissing(error) && !namesChange(error.hint) ? 2 : 0;
}

function correct(args: unknown, error: ValidationError, missing: readonly string[]): unknown {
  const { fieldPath, message, expectedValue = "" } = error;
  const expected = expectedValue === "" ? "" : `Expected: ${expectedValue}`;
  const words = `${message.replace(/, got \w+$/, "")}\n${expected}`.slice(0, MAX_WORDS);
  return takeStep(args, stepOf({ pointer: fieldPath, words }), missing);
}

function isMissing({ errorCode }: ValidationError): boolean {
  return errorCode === "VAL-001";
}

/** The name of an unknown tool is not among the arguments. */
function isOfArguments({ errorCode }: ValidationError): boolean {
  return errorCode !== "VAL-012";
}
