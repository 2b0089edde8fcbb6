import type { ValidationError } from "@toolcontract/core";
import { followHint, movesKeys, namesChange, parseHolders } from "./hint-changes.ts";

/** Does what the hints of a message say and nothing else; undefined if no error has a hint. */
export function followHints(args: unknown, errors: readonly ValidationError[]): unknown {
  const hinted = errors.filter(({ hint }) => hint !== undefined);
  return hinted.length === 0 ? undefined : changeInTurn(args, hinted, followHint);
}

/** Makes a change for each error: at inner places first, at each place before keys are moved and fields added. */
export function changeInTurn(
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

function rank({ errorCode, hint }: ValidationError): number {
  if (movesKeys(hint ?? "")) return 1;
  return errorCode === "VAL-001" && !namesChange(hint) ? 2 : 0;
}
