import { allowedValues } from "../schema/index.ts";
import {
  type Finding,
  type JsonSchema,
  type PathSegment,
  comparePaths,
  isRecord,
} from "../shared/index.ts";
import { type IssuePlace, expectation } from "./build-findings.ts";
import type { ExplainedFindings } from "./explained-findings.ts";
import type { BrokenRule, IssueReading, StandardIssue } from "./vendors/index.ts";

type IssueBranch = readonly StandardIssue[];
type UnionReading = Extract<IssueReading, { readonly kind: "union" }>;
type Match = (issue: StandardIssue) => readonly Finding[];

/** The findings for a union without a matching branch: the explained ones, else those of the nearest branch. */
export function unionFindings(
  place: IssuePlace,
  { branches: all, isMixed = false }: UnionReading,
  explained: ExplainedFindings,
  match: Match,
): readonly Finding[] {
  const open = all.filter((branch) => !branch.some((issue) => isNever(issue, place)));
  const branches = open.length > 0 ? open : all;
  const places = new Set(branches.flatMap(flatten).flatMap(placesOfIssue));
  // The validator coerces or strips what no branch reported.
  const shown = explained
    .below(place.path)
    .filter(
      ({ path }) =>
        path.length === place.path.length || places.size === 0 || places.has(JSON.stringify(path)),
    );
  if (shown.length > 0) return shown;
  // To name one branch's issues without knowing which branch is meant would mislead.
  if (isMixed) return [unionFinding(place, [])];
  const whole = branches.map((branch) =>
    branch.map((issue) => wholeRule(issue, place)).find((rule) => rule),
  );
  if (branches.length > 0 && whole.every((rule) => rule !== undefined))
    return [unionFinding(place, whole)];
  const tag = taggedFindings(branches, place, match);
  if (tag) return tag;
  const nearest = branches
    .filter((branch, position) => branch.length > 0 && whole[position]?.code !== "VAL-002")
    .toSorted((a, b) => refusedTags(a, place) - refusedTags(b, place) || a.length - b.length)[0];
  return nearest?.flatMap(match) ?? [unionFinding(place, [])];
}

/**
 * The findings for a union whose branches all refuse one field as another value than their own: the values of all are
 * listed, because the branch that happens to ask for least may be the one that deletes.
 */
function taggedFindings(
  branches: readonly IssueBranch[],
  { path }: IssuePlace,
  match: Match,
): readonly Finding[] | undefined {
  const [first = [], ...others] = branches;
  if (others.length === 0) return undefined;
  for (const issue of first.filter((one) => one.path.length === path.length + 1)) {
    const tags = branches.map((branch) => branch.find((one) => isTagAt(one, issue.path)));
    const values = tags.map(listedBy);
    const allowed = values.flatMap((listed) => listed ?? []);
    if (!values.every(Boolean) || new Set(allowed).size < allowed.length) continue;
    const found = match({ ...issue, reading: { kind: "tag", schema: { enum: allowed } } });
    const hinted = found.flatMap(({ hint }) => (hint?.kind === "use" ? [hint.value] : []));
    const meant = branches.find((_, at) => values[at]?.some((value) => hinted.includes(value)));
    const rest = (meant ?? first).filter(
      (one) => !tags.includes(one) && (meant ?? isShared(one, others)),
    );
    return [...found, ...rest.flatMap(match)];
  }
  return undefined;
}

function isTagAt(issue: StandardIssue, path: Finding["path"]): boolean {
  return listedBy(issue) !== undefined && comparePaths(issue.path, path) === 0;
}

/** The values of which an issue wants one. */
function listedBy(issue: StandardIssue | undefined): readonly unknown[] | undefined {
  const { reading } = issue ?? {};
  if (reading?.kind !== "fault" || !isRecord(reading.schema)) return undefined;
  const { code, schema } = reading;
  return code === "VAL-008" || code === "VAL-001" ? allowedValues(schema) : undefined;
}

/** Whether every branch has an issue that reads the same. */
function isShared({ path, reading }: StandardIssue, branches: readonly IssueBranch[]): boolean {
  const read = JSON.stringify([path, reading]);
  return branches.every((branch) =>
    branch.some((one) => JSON.stringify([one.path, one.reading]) === read),
  );
}

/** How many fields a branch refuses for values that it lists: another one was meant that takes them. */
function refusedTags(branch: IssueBranch, { path }: IssuePlace): number {
  return branch.filter(
    (issue) => issue.path.length === path.length + 1 && listedBy(issue) !== undefined,
  ).length;
}

function flatten(branch: IssueBranch): readonly StandardIssue[] {
  return branch.flatMap((issue) =>
    issue.reading.kind === "union" ? [issue, ...issue.reading.branches.flatMap(flatten)] : [issue],
  );
}

function placesOfIssue(issue: StandardIssue): readonly string[] {
  const names = issue.reading.kind === "unknown-fields" ? issue.reading.names : [];
  return [issue.path, ...names.map((name): readonly PathSegment[] => [...issue.path, name])].map(
    (path) => JSON.stringify(path),
  );
}

/** Whether an issue says that its branch accepts no value at all. */
function isNever({ reading, path }: StandardIssue, place: IssuePlace): boolean {
  return (
    path.length === place.path.length && reading.kind === "fault" && reading.code === "VAL-005"
  );
}

/** The rule of a branch that the whole value breaks. */
function wholeRule(issue: StandardIssue, place: IssuePlace): BrokenRule | undefined {
  const { reading, path } = issue;
  if (path.length !== place.path.length || reading.kind !== "fault") return undefined;
  return reading.code === "VAL-002" || reading.code === "VAL-008" ? reading : undefined;
}

function unionFinding(place: IssuePlace, rules: readonly (BrokenRule | undefined)[]): Finding {
  const schemas = rules.map((rule) => rule?.schema).filter((schema) => schema !== undefined);
  const code = codeOfUnion(rules);
  const wanted = schemas.length > 0 ? expectation(combined(schemas)) : {};
  return { code, path: place.path, ...wanted, ...(place.sent ? { actual: place.sent } : {}) };
}

function codeOfUnion(rules: readonly (BrokenRule | undefined)[]): Finding["code"] {
  if (rules.length === 0) return "VAL-013";
  return rules.every((rule) => rule?.code === "VAL-008") ? "VAL-008" : "VAL-002";
}

function combined(schemas: readonly JsonSchema[]): JsonSchema {
  const values = schemas.map((schema) => (typeof schema === "object" ? schema["enum"] : undefined));
  return values.every(Array.isArray) ? { enum: values.flat() } : { anyOf: schemas };
}
