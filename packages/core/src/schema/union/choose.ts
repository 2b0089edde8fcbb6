import { allowedValues, nearValue, nearest } from "../facts/index.ts";
import {
  type Expectation,
  type Finding,
  comparePaths,
  hasField,
  isRecord,
  jsonTypeOf,
  sameExpectation,
} from "../../shared/index.ts";
import { ANYTHING, besideOthers, isHere, noneFits, ofAnotherType, wrongValue } from "./faults.ts";
import type { Branch } from "./branch.ts";
import { type Location, fitsAs } from "../walk/index.ts";

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

const MAX_KEYS = 20;

type Fields = Readonly<Record<string, unknown>>;

/** The branch named by a field that tells the branches apart; undefined where there is no such field. */
function chooseByTag(
  location: Location,
  branches: readonly Branch[],
  value: Fields,
): Choice | undefined {
  const tag = tagOf(branches);
  if (tag === undefined) return undefined;
  const sent = value[sentTag(branches, value, tag)];
  const meant = branches.filter((branch) => branch.fixed.get(tag)?.includes(sent) === true);
  const [chosen] = meant;
  if (chosen && meant.length === 1)
    return { findings: named(chosen.outcome.findings, chosen), branch: chosen };
  if (meant.length > 1) return chooseByFit(location, meant, value);
  // A branch without the tag takes any value of it, and one that does not ask for it takes none.
  if (!branches.every((branch) => branch.fixed.has(tag))) return undefined;
  if (sent === undefined && !branches.every((branch) => branch.required.includes(tag)))
    return undefined;
  return withoutTag(location, branches, value, tag);
}

/** The name under which the tag was sent: its own, or a near one that holds one of the tag's values. */
function sentTag(branches: readonly Branch[], value: Fields, tag: string): string {
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

/** The fields that are missing whichever branch was meant. */
function missingEverywhere(lists: readonly (readonly Finding[])[]): readonly Finding[] {
  const [first = [], ...others] = lists;
  return first.flatMap((finding) => {
    const alike = others.map((list) =>
      list.find((one) => one.code === "VAL-001" && comparePaths(one.path, finding.path) === 0),
    );
    if (finding.code !== "VAL-001" || !alike.every((one) => one !== undefined)) return [];
    const of = [finding, ...alike].map((one) => one.expected ?? ANYTHING);
    return [{ ...finding, expected: { kind: "branches", of } }];
  });
}

/** Tells whether a branch declares a field and the field's value is of the right kind for it. */
function takes({ outcome }: Branch, location: Location, name: string, value: unknown): boolean {
  const place = { path: [...location.path, name], value };
  return outcome.evaluated.declared.has(name) && fitsAs(place, outcome.findings);
}

/** The field that most branches fix, each to values of its own. */
function tagOf(branches: readonly Branch[]): string | undefined {
  const names = new Set(branches.flatMap((branch) => [...branch.fixed.keys()]));
  const scored = [...names].map((name) => {
    const values = branches.flatMap((branch) => branch.fixed.get(name) ?? []);
    const tagged = branches.filter((branch) => branch.fixed.has(name)).length;
    return { name, score: new Set(values).size === values.length ? tagged : 0 };
  });
  const best = scored.toSorted((a, b) => b.score - a.score)[0];
  return best && best.score > 1 ? best.name : undefined;
}

/** The tag is missing or names no branch: list its values, and judge by what the other fields fit. */
function withoutTag(
  location: Location,
  branches: readonly Branch[],
  value: Fields,
  tag: string,
): Choice {
  const isTag = (finding: Finding): boolean =>
    finding.path.length === location.path.length + 1 && finding.path.at(-1) === tag;
  const rest = branches.map((branch) => ({
    ...branch,
    outcome: {
      ...branch.outcome,
      findings: branch.outcome.findings.filter((finding) => !isTag(finding)),
    },
  }));
  const { branch } = chooseByFit(location, rest, value);
  const names = Object.keys(value).filter((name) => name !== tag);
  const fits = branch && names.some((name) => branch.outcome.evaluated.declared.has(name));
  const isSure = branch && names.some((name) => takes(branch, location, name, value[name]));
  const fitting = (fits ? branch.fixed.get(tag) : undefined) ?? [];
  // Of several values that the branch allows, none is surely the one that was meant.
  const guess = isSure && fitting.length === 1 ? fitting[0] : undefined;
  const listed = branches.flatMap((candidate) => candidate.fixed.get(tag) ?? []);
  const allowed = [...fitting, ...listed.filter((one) => !fitting.includes(one))];
  const path = [...location.path, tag];
  const near = hasField(value, tag) ? nearValue(allowed, value[tag]) : undefined;
  const best = near ?? guess;
  const fault: Finding = {
    ...(hasField(value, tag)
      ? { code: "VAL-008", actual: { value: value[tag] } }
      : { code: "VAL-001" }),
    path,
    expected: { kind: "values", values: allowed },
    ...(best === undefined ? {} : { hint: { kind: "use", value: best } }),
  };
  const nearBranch =
    near === undefined ? undefined : rest.find((one) => one.fixed.get(tag)?.includes(near));
  const meant = nearBranch ?? (fits ? branch : undefined);
  const others = meant
    ? named(meant.outcome.findings, meant)
    : missingEverywhere(rest.map(({ outcome }) => outcome.findings));
  return {
    findings: [fault, ...others],
    ...(meant ? { branch: meant } : {}),
  };
}

/** The faults to tell of a union that nothing fits, and the branch they belong to, if one was meant. */
export interface Choice {
  readonly findings: readonly Finding[];
  readonly branch?: Branch;
}

// A field that a branch knows speaks for it almost as much as a missing one speaks against it.
const KNOWN_FIELD = 2;

/** The branch with the fewest and deepest faults; where several are equal, what they ask for instead. */
function chooseByFit(
  location: Location,
  branches: readonly Branch[],
  value: Readonly<Record<string, unknown>>,
): Choice {
  const ranked = branches.map((branch) => {
    const hits = hitsOf(branch, value);
    return { branch, hits, misfit: costOf(branch, location) - KNOWN_FIELD * hits };
  });
  // Where no field speaks for any of them, the one that asks for least is no better guess than the others.
  const isOpen = ranked.every(({ hits, branch }) => hits === 0 && !hasMisspelt(branch));
  const least = isOpen ? Infinity : Math.min(...ranked.map(({ misfit }) => misfit));
  const best = ranked
    .filter(({ misfit }) => isOpen || misfit === least)
    .map(({ branch }) => branch);
  const [chosen] = best;
  if (chosen && best.length === 1)
    return { findings: named(chosen.outcome.findings, chosen), branch: chosen };
  return { findings: tied(location, best) };
}

/** Puts the branch's name on the first of its findings, where no inner union has put one. */
function named(findings: readonly Finding[], branch: Branch): readonly Finding[] {
  return findings.map((finding, position) =>
    position === 0 && finding.variant === undefined
      ? { ...finding, variant: { kind: "branch", name: branch.name } }
      : finding,
  );
}

function costOf(branch: Branch, location: Location): number {
  return branch.outcome.findings.reduce((sum, finding) => sum + weightOf(finding, location), 0);
}

function weightOf(finding: Finding, location: Location): number {
  const depth = finding.path.length - location.path.length;
  if (finding.closing === true) return 0;
  if (depth > 1 || showsWhatWasMeant(finding)) return 1;
  if (finding.code === "VAL-008") return 4;
  return finding.code === "VAL-001" || finding.code === "VAL-005" ? 3 : 2;
}

/** A misspelt key or a value with a literal fix is a slip within the branch, hardly a sign of another one. */
function showsWhatWasMeant({ code, hint, misnamedAs, renameTo }: Finding): boolean {
  if (code === "VAL-005") return renameTo !== undefined;
  return misnamedAs !== undefined || hint !== undefined;
}

function hasMisspelt({ outcome }: Branch): boolean {
  return outcome.findings.some(({ misnamedAs, renameTo }) => misnamedAs ?? renameTo);
}

function hitsOf(branch: Branch, value: Readonly<Record<string, unknown>>): number {
  const { declared, fields } = branch.outcome.evaluated;
  // An object of any fields knows all of them.
  const isMap = branch.parts.some(
    ({ additionalProperties: values }) => isRecord(values) && Object.keys(values).length > 0,
  );
  return Object.keys(value).filter((name) => isMap || declared.has(name) || fields.has(name))
    .length;
}

function tied(location: Location, branches: readonly Branch[]): readonly Finding[] {
  const all = branches.map((branch) => branch.outcome.findings);
  const shared = (all[0] ?? []).filter((finding) =>
    all.every((list) => list.some((other) => same(finding, other))),
  );
  const own = all.map((list) =>
    list.filter((finding) => !shared.some((other) => same(finding, other))),
  );
  if (own.some((list) => list.length === 0)) return shared;
  const wanted = own.map((list, position): Expectation =>
    isMissing(list)
      ? { kind: "branch", missing: list.map(({ path }) => String(path.at(-1))) }
      : { kind: "variant", name: branches[position]?.name ?? "" },
  );
  return [
    ...shared,
    {
      code: "VAL-013",
      path: location.path,
      expected: { kind: "branches", of: wanted },
      actual: { value: location.value },
      wanted: own.filter(isMissing).map((list) => list.map(({ path }) => String(path.at(-1)))),
    },
  ];
}

function isMissing(findings: readonly Finding[]): boolean {
  return findings.every(({ code }) => code === "VAL-001");
}

function same(a: Finding, b: Finding): boolean {
  return (
    a.code === b.code &&
    sameExpectation(a.expected, b.expected) &&
    a.path.join("/") === b.path.join("/")
  );
}
