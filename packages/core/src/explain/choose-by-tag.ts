import { nearValue } from "./check-type.ts";
import { chooseByFit, named, type Choice } from "./choose-by-fit.ts";
import { listValues } from "./describe.ts";
import { hasField } from "./json-type.ts";
import type { Branch } from "./branch.ts";
import type { Finding, Location } from "./walk.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The branch named by a field that tells the branches apart; undefined where there is no such field. */
export function chooseByTag(
  location: Location,
  branches: readonly Branch[],
  value: Fields,
): Choice | undefined {
  const tag = tagOf(branches);
  if (tag === undefined) return undefined;
  const sent = hasField(value, tag) ? value[tag] : undefined;
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
  const fits =
    branch &&
    Object.keys(value).some((name) => name !== tag && branch.outcome.evaluated.declared.has(name));
  const guess = fits ? branch.fixed.get(tag)?.[0] : undefined;
  const listed = branches.flatMap((candidate) => candidate.fixed.get(tag) ?? []);
  const allowed = guess === undefined ? listed : [guess, ...listed.filter((one) => one !== guess)];
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
  return {
    findings: [fault, ...(meant ? named(meant.outcome.findings, meant) : [])],
    ...(meant ? { branch: meant } : {}),
  };
}
