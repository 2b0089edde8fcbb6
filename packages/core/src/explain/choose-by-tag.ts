import { nearValue } from "./value-hints.ts";
import { comparePaths } from "../fault.ts";
import { chooseByFit, named, type Choice } from "./choose-by-fit.ts";
import { alternatives } from "./list-words.ts";
import { ANYTHING } from "./describe.ts";
import { fitsAs } from "./fits-as.ts";
import { listValues } from "./list-words.ts";
import { hasField } from "./json-type.ts";
import { nearest } from "./near.ts";
import type { Branch } from "./branch.ts";
import type { Location } from "./walk.ts";
import type { Finding } from "../fault.ts";

const MAX_KEYS = 20;

type Fields = Readonly<Record<string, unknown>>;

/** The branch named by a field that tells the branches apart; undefined where there is no such field. */
export function chooseByTag(
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
    const same = others.map((list) =>
      list.find((one) => one.code === "VAL-001" && comparePaths(one.path, finding.path) === 0),
    );
    if (finding.code !== "VAL-001" || !same.every((one) => one !== undefined)) return [];
    const expected = alternatives([finding, ...same].map((one) => one.expected ?? ANYTHING));
    return [{ ...finding, expected }];
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
  const expected = listValues(allowed);
  const near = hasField(value, tag) ? nearValue(allowed, value[tag]) : undefined;
  const best = near ?? guess;
  const fault: Finding = {
    ...(hasField(value, tag)
      ? { code: "VAL-008", actual: { value: value[tag] } }
      : { code: "VAL-001" }),
    path,
    expected,
    ...(best === undefined ? {} : { hint: `use ${JSON.stringify(best)}` }),
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
