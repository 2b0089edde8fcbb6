import { type Finding, isRecord, jsonTypeOf, withoutHint } from "../../shared/index.ts";
import { allowedValues } from "../hints/index.ts";
import type { SchemaLocation } from "../walk/index.ts";
import type { TriedBranch } from "./branch.ts";
import { chooseByFit } from "./by-fit.ts";
import { chooseByTag } from "./by-tag.ts";
import type { Choice } from "./choice.ts";
import { besideOthers, isHere, noneFits, ofAnotherType, wrongValue } from "./faults.ts";

/** Finds the branch that the model meant: by type, by tag, else by the fewest and deepest faults. */
export function chooseBranch(location: SchemaLocation, branches: readonly TriedBranch[]): Choice {
  const { value } = location;
  const isRefused = ({ outcome }: TriedBranch): boolean =>
    outcome.findings.some((found) => isHere(found, location, "VAL-008"));
  // If all branches list values, a value of another type is still only a wrong value.
  const others = branches.every(isRefused)
    ? []
    : branches.filter((branch) => isOfAnotherType(location, branch));
  const candidates = branches.filter((branch) => !others.includes(branch));
  if (candidates.length === 0) return { findings: ofAnotherType(location, branches) };
  if (candidates.every(isRefused)) return { findings: [wrongValue(location, candidates, others)] };
  const [only] = candidates;
  if (only && candidates.length === 1)
    return { findings: besideOthers(location, only, others), branch: only };
  if (!isRecord(value)) return { findings: [noneFits(location, candidates)] };
  const choice =
    chooseByTag(location, candidates, value) ?? chooseByFit(location, candidates, value);
  const findings = choice.findings.map((found) =>
    isOptionOfAnother(found, location, candidates) ? withoutHint(found) : found,
  );
  return { ...choice, findings };
}

/** Whether a finding says that there is no such option, although another branch has it. */
function isOptionOfAnother(
  { path, hint }: Finding,
  { place }: SchemaLocation,
  branches: readonly TriedBranch[],
): boolean {
  const name = path[place.level];
  if (hint?.kind !== "no-option" || path.length !== place.level + 1) return false;
  return branches.some(({ outcome }) => outcome.evaluated.declared.has(String(name)));
}

/** Whether a branch has another `type` than the value, or lists only values of other types. */
function isOfAnotherType(location: SchemaLocation, { outcome, parts }: TriedBranch): boolean {
  if (outcome.findings.some((found) => isHere(found, location, "VAL-002"))) return true;
  if (!outcome.findings.some((found) => isHere(found, location, "VAL-008"))) return false;
  const type = jsonTypeOf(location.value);
  return parts
    .flatMap((part) => allowedValues(part) ?? [])
    .every((allowed) => jsonTypeOf(allowed) !== type);
}
