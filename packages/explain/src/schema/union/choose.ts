import {
  type Expectation,
  type Finding,
  comparePaths,
  hasField,
  isRecord,
  jsonTypeOf,
  canonicalExpectation,
} from "../../shared/index.ts";
import { allowedValues, nearest, nearestValue } from "../hints/index.ts";
import { type Fields, type SchemaLocation, fitsAs, pathOfPlace } from "../walk/index.ts";
import type { TriedBranch } from "./branch.ts";
import {
  ANYTHING,
  besideOthers,
  eitherOf,
  isHere,
  noneFits,
  ofAnotherType,
  wrongValue,
} from "./faults.ts";

const MAX_KEYS = 20;
/** A known field favours a branch almost as much as a missing one counts against it. */
const KNOWN_FIELD = 2;

/** The faults to report for a union that no branch fits, and the branch they belong to, if one was meant. */
export interface Choice {
  readonly findings: readonly Finding[];
  readonly branch?: TriedBranch;
}

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
  return chooseByTag(location, candidates, value) ?? chooseByFit(location, candidates, value);
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

/** Chooses by the field that tells the branches apart; undefined if there is none. */
function chooseByTag(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
): Choice | undefined {
  const tag = tagOf(branches);
  if (tag === undefined) return undefined;
  const sent = value[sentTag(branches, value, tag)];
  const meant = branches.find((branch) => branch.fixed.get(tag)?.includes(sent) === true);
  if (meant) return chosenBranch(meant);
  // A branch without the tag accepts any value of it; one with an optional tag may be sent without it.
  if (!branches.every((branch) => branch.fixed.has(tag))) return undefined;
  if (sent === undefined && !branches.every((branch) => branch.required.includes(tag)))
    return undefined;
  return reportTag(location, branches, value, tag);
}

/** Returns the field that most branches fix, each to different values. */
function tagOf(branches: readonly TriedBranch[]): string | undefined {
  const names = new Set(branches.flatMap((branch) => [...branch.fixed.keys()]));
  const scored = [...names].map((name) => {
    const values = branches.flatMap((branch) => branch.fixed.get(name) ?? []);
    const tagged = branches.filter((branch) => branch.fixed.has(name)).length;
    return { name, score: new Set(values).size === values.length ? tagged : 0 };
  });
  const best = scored.toSorted((a, b) => b.score - a.score)[0];
  return best && best.score > 1 ? best.name : undefined;
}

/** Returns the name under which the tag was sent: a misspelt one must hold one of the tag's values. */
function sentTag(branches: readonly TriedBranch[], value: Fields, tag: string): string {
  if (hasField(value, tag)) return tag;
  const misspelt = Object.keys(value)
    .slice(0, MAX_KEYS)
    .find(
      (name) =>
        nearest(name, [tag]) === tag &&
        branches.some(({ fixed }) => fixed.get(tag)?.includes(value[name]) === true) &&
        !branches.some(({ outcome }) => outcome.evaluated.declared.has(name)),
    );
  return misspelt ?? tag;
}

/** Reports a tag that is missing or wrong, and chooses the branch by its nearest value or by the other fields. */
function reportTag(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
  tag: string,
): Choice {
  const path = [...pathOfPlace(location), tag];
  const untagged = branches.map((branch) => withoutFault(branch, path));
  const { branch: best } = chooseByFit(location, untagged, value);
  const names = Object.keys(value).filter((name) => name !== tag);
  const fits = best && names.some((name) => best.outcome.evaluated.declared.has(name));
  const isSure = best && names.some((name) => takes(best, location, name, value[name]));
  const fitting = (fits ? best.fixed.get(tag) : undefined) ?? [];
  // If the branch allows several values, none of them is surely the one that was meant.
  const guess = isSure && fitting.length === 1 ? fitting[0] : undefined;
  const listed = branches.flatMap((branch) => branch.fixed.get(tag) ?? []);
  const allowed = [...fitting, ...listed.filter((one) => !fitting.includes(one))];
  const closest = hasField(value, tag) ? nearestValue(allowed, value[tag]) : undefined;
  const hinted = closest ?? guess;
  const fault: Finding = {
    ...(hasField(value, tag)
      ? { code: "VAL-008", actual: { value: value[tag] } }
      : { code: "VAL-001" }),
    path,
    expected: { kind: "values", values: allowed },
    ...(hinted === undefined ? {} : { hint: { kind: "use", value: hinted } }),
  };
  const closestBranch =
    closest === undefined
      ? undefined
      : untagged.find((branch) => branch.fixed.get(tag)?.includes(closest));
  const meant = closestBranch ?? (fits ? best : undefined);
  if (!meant) return { findings: [fault, ...missingEverywhere(untagged)] };
  return { findings: [fault, ...withName(meant)], branch: meant };
}

function withoutFault(branch: TriedBranch, path: Finding["path"]): TriedBranch {
  const { evaluated } = branch.outcome;
  const findings = branch.outcome.findings.filter((found) => comparePaths(found.path, path) !== 0);
  return { ...branch, outcome: { evaluated, findings } };
}

/** Whether a branch declares a field and the field's value has the right type for it. */
function takes(
  { outcome }: TriedBranch,
  location: SchemaLocation,
  name: string,
  value: unknown,
): boolean {
  const path = [...pathOfPlace(location), name];
  return outcome.evaluated.declared.has(name) && fitsAs(path, value, outcome.findings);
}

/** Returns the fields that are missing from every branch. */
function missingEverywhere(branches: readonly TriedBranch[]): readonly Finding[] {
  const [first = [], ...others] = branches.map(({ outcome }) => outcome.findings);
  return first.flatMap((finding) => {
    const alike = others.map((list) =>
      list.find((one) => one.code === "VAL-001" && comparePaths(one.path, finding.path) === 0),
    );
    if (finding.code !== "VAL-001" || !alike.every((one) => one !== undefined)) return [];
    const of = [finding, ...alike].map((one) => one.expected ?? ANYTHING);
    return [{ ...finding, expected: eitherOf(of) }];
  });
}

/** Chooses the branch with the fewest and deepest faults; if several are equal, reports what each asks for. */
function chooseByFit(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
): Choice {
  const ranked = branches.map((branch) => {
    const hits = hitsOf(branch, value);
    return { branch, hits, misfit: branchCost(branch, location) - KNOWN_FIELD * hits };
  });
  // If no field favours any branch, the least demanding one is not a better guess than the others.
  const isOpen = ranked.every(({ hits, branch }) => hits === 0 && !hasMisspelt(branch));
  const least = isOpen ? Infinity : Math.min(...ranked.map(({ misfit }) => misfit));
  const best = ranked
    .filter(({ misfit }) => isOpen || misfit === least)
    .map(({ branch }) => branch);
  const [chosen] = best;
  return chosen && best.length === 1 ? chosenBranch(chosen) : { findings: tied(location, best) };
}

/** Counts the fields of a value that a branch knows. */
function hitsOf({ outcome, parts }: TriedBranch, value: Fields): number {
  const { declared, fields } = outcome.evaluated;
  // A map knows every field.
  const isMap = parts.some(
    ({ additionalProperties: values }) => isRecord(values) && Object.keys(values).length > 0,
  );
  return Object.keys(value).filter((name) => isMap || declared.has(name) || fields.has(name))
    .length;
}

function branchCost({ outcome }: TriedBranch, location: SchemaLocation): number {
  return outcome.findings.reduce((sum, finding) => sum + weightOf(finding, location), 0);
}

function weightOf(finding: Finding, location: SchemaLocation): number {
  const depth = finding.path.length - location.place.level;
  if (finding.closing === true) return 0;
  if (depth > 1 || isSlipFinding(finding)) return 1;
  if (finding.code === "VAL-008") return 4;
  return finding.code === "VAL-001" || finding.code === "VAL-005" ? 3 : 2;
}

/** Whether a finding is a misspelt key or has a literal fix: hardly a sign that another branch was meant. */
function isSlipFinding({ code, hint, misnamedAs, renameTo }: Finding): boolean {
  if (code === "VAL-005") return renameTo !== undefined;
  return misnamedAs !== undefined || hint !== undefined;
}

function hasMisspelt({ outcome }: TriedBranch): boolean {
  return outcome.findings.some(({ misnamedAs, renameTo }) => misnamedAs ?? renameTo);
}

function chosenBranch(branch: TriedBranch): Choice {
  return { findings: withName(branch), branch };
}

/** Puts a branch's name on the first of its findings, unless an inner union has put one there. */
function withName({ name, outcome }: TriedBranch): readonly Finding[] {
  return outcome.findings.map((finding, position) =>
    position === 0 && finding.variant === undefined
      ? { ...finding, variant: { kind: "branch", name } }
      : finding,
  );
}

/** Reports the faults that equally likely branches share, and what each asks for besides. */
function tied(location: SchemaLocation, branches: readonly TriedBranch[]): readonly Finding[] {
  const keyed = branches.map(({ outcome }) =>
    outcome.findings.map((finding) => ({ finding, key: keyOf(finding) })),
  );
  const keys = keyed.map((list) => new Set(list.map(({ key }) => key)));
  const isShared = (key: string): boolean => keys.every((list) => list.has(key));
  const shared = (keyed[0] ?? []).filter(({ key }) => isShared(key)).map(({ finding }) => finding);
  const own = keyed.map((list) =>
    list.filter(({ key }) => !isShared(key)).map(({ finding }) => finding),
  );
  if (own.some((list) => list.length === 0)) return shared;
  const wanted = own.map((list, position): Expectation =>
    isMissing(list)
      ? { kind: "branch", missing: fieldNames(list) }
      : { kind: "variant", name: branches[position]?.name ?? "" },
  );
  return [
    ...shared,
    {
      code: "VAL-013",
      path: pathOfPlace(location),
      expected: { kind: "branches", of: wanted },
      actual: { value: location.value },
      wanted: own.filter(isMissing).map(fieldNames),
    },
  ];
}

/** What a finding says, as a string: two that say the same have the same one. */
function keyOf({ code, path, expected }: Finding): string {
  return JSON.stringify([code, path.join("/"), canonicalExpectation(expected)]);
}

function isMissing(findings: readonly Finding[]): boolean {
  return findings.every(({ code }) => code === "VAL-001");
}

function fieldNames(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ path }) => String(path.at(-1)));
}
