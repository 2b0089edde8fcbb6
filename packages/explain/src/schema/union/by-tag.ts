import { type Finding, comparePaths, hasField } from "../../shared/index.ts";
import { nearest, nearestValue, restrains } from "../hints/index.ts";
import { type Fields, type SchemaLocation, fitsAs, pathOfPlace } from "../walk/index.ts";
import type { TriedBranch } from "./branch.ts";
import { type Choice, chosenBranch, keyOf } from "./choice.ts";
import { ANYTHING, eitherOf } from "./faults.ts";

const MAX_KEYS = 20;

/** Chooses by the field that tells the branches apart; undefined if there is none. */
export function chooseByTag(
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

/**
 * Reports a tag that is missing or wrong. The branch is that of the tag nearest to the one sent, else the one that alone
 * declares what was sent: the one that asks for least is not a better guess than the others, and may be the one that deletes.
 */
function reportTag(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
  tag: string,
): Choice {
  const path = [...pathOfPlace(location), tag];
  const untagged = branches.map((branch) => withoutFault(branch, path));
  const listed = branches.flatMap((branch) => branch.fixed.get(tag) ?? []);
  const closest = hasField(value, tag) ? nearestValue(listed, value[tag]) : undefined;
  const pointed = closest === undefined ? pointedAt(location, untagged, value, tag) : undefined;
  const meant =
    pointed?.branch ?? untagged.find((branch) => branch.fixed.get(tag)?.includes(closest));
  const own = meant?.fixed.get(tag) ?? [];
  // If the branch allows several values, none of them is surely the one that was meant.
  const hinted = closest ?? (pointed?.isSure === true && own.length === 1 ? own[0] : undefined);
  const fault: Finding = {
    ...(hasField(value, tag)
      ? { code: "VAL-008", actual: { value: value[tag] } }
      : { code: "VAL-001" }),
    path,
    expected: { kind: "values", values: [...own, ...listed.filter((one) => !own.includes(one))] },
    ...(hinted === undefined ? {} : { hint: { kind: "use", value: hinted } }),
  };
  if (!meant) return { findings: [fault, ...sharedFaults(untagged)] };
  return { findings: [fault, ...chosenBranch(meant).findings], branch: meant };
}

/** The branch that fields point at which no other one declares; `isSure` if it takes the value of one of them. */
function pointedAt(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
  tag: string,
): { readonly branch: TriedBranch; readonly isSure: boolean } | undefined {
  // Whoever wrote `preview` did not mean `run`, whatever else was sent.
  if (typeof value[tag] === "string" && restrains(value[tag])) return undefined;
  const owned = Object.keys(value).flatMap((name) => {
    const [only, ...more] = name === tag ? [] : branches.filter((one) => declares(one, name));
    return only && more.length === 0 ? [{ name, branch: only }] : [];
  });
  const [first] = owned;
  if (!first || owned.some(({ branch }) => branch !== first.branch)) return undefined;
  const { branch } = first;
  return { branch, isSure: owned.some(({ name }) => takes(branch, location, name, value[name])) };
}

function declares({ outcome }: TriedBranch, name: string): boolean {
  return outcome.evaluated.declared.has(name);
}

function withoutFault(branch: TriedBranch, path: Finding["path"]): TriedBranch {
  const { evaluated } = branch.outcome;
  const findings = branch.outcome.findings.filter((found) => comparePaths(found.path, path) !== 0);
  return { ...branch, outcome: { evaluated, findings } };
}

/** Whether the value of a field has the right type for a branch. */
function takes(
  { outcome }: TriedBranch,
  location: SchemaLocation,
  name: string,
  value: unknown,
): boolean {
  return fitsAs([...pathOfPlace(location), name], value, outcome.findings);
}

/** The faults that all branches find; a field that each lacks may be another thing in each. */
function sharedFaults(branches: readonly TriedBranch[]): readonly Finding[] {
  const [first = [], ...others] = branches.map(({ outcome }) => outcome.findings);
  const found = others.map((list) => new Map(list.map((one) => [placeKeyOf(one), one])));
  return first.flatMap((finding) => {
    const alike = found.flatMap((list) => list.get(placeKeyOf(finding)) ?? []);
    if (alike.length < others.length) return [];
    if (finding.code !== "VAL-001") return [finding];
    const of = [finding, ...alike].map((one) => one.expected ?? ANYTHING);
    return [{ ...finding, expected: eitherOf(of) }];
  });
}

/** What makes findings of several branches the same one. */
function placeKeyOf(finding: Finding): string {
  return finding.code === "VAL-001" ? JSON.stringify(finding.path) : keyOf(finding);
}
