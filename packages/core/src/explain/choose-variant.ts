import { chooseByFit, type Choice } from "./choose-by-fit.ts";
import { chooseByTag } from "./choose-by-tag.ts";
import { allowedValues } from "./value-hints.ts";
import { isRecord, jsonTypeOf } from "./json-type.ts";
import { besideOthers, isHere, noneFits, ofAnotherType, wrongValue } from "./union-faults.ts";
import type { Branch } from "./branch.ts";
import type { Location } from "./walk.ts";

/** Finds the branch that the model meant: by type, by tag, else by the fewest and deepest faults. */
export function chooseVariant(location: Location, branches: readonly Branch[]): Choice {
  const isRefused = (branch: Branch): boolean =>
    branch.outcome.findings.some((found) => isHere(found, location, "VAL-008"));
  // Where all branches are lists of values, a value of another type is still only a wrong one.
  const others = branches.every(isRefused)
    ? []
    : branches.filter((branch) => isOfAnotherType(location, branch));
  const candidates = branches.filter((branch) => !others.includes(branch));
  if (candidates.length === 0) return { findings: ofAnotherType(location, branches) };
  if (candidates.every(isRefused)) return { findings: [wrongValue(location, candidates, others)] };
  const [only] = candidates;
  if (only && candidates.length === 1)
    return { findings: besideOthers(location, only, others), branch: only };
  if (!isRecord(location.value)) return { findings: [noneFits(location, candidates)] };
  return (
    chooseByTag(location, candidates, location.value) ??
    chooseByFit(location, candidates, location.value)
  );
}

/** By its `type`, or because it lists values and none of them is of the value's type. */
function isOfAnotherType(location: Location, { outcome, parts }: Branch): boolean {
  if (outcome.findings.some((found) => isHere(found, location, "VAL-002"))) return true;
  if (!outcome.findings.some((found) => isHere(found, location, "VAL-008"))) return false;
  const type = jsonTypeOf(location.value);
  return parts
    .flatMap((part) => allowedValues(part) ?? [])
    .every((one) => jsonTypeOf(one) !== type);
}
