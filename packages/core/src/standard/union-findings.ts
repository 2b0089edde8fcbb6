import type { Finding } from "../fault.ts";
import type { PathSegment } from "../fault.ts";
import type { JsonSchema } from "../json-schema.ts";
import { expectedText } from "./built-finding.ts";
import type { ExplainedFindings } from "./explained-findings.ts";
import type { IssuePlace } from "./issue-place.ts";
import type { BrokenRule, StandardIssue } from "./standard-issue.ts";

type Branch = readonly StandardIssue[];
type Tell = (issue: StandardIssue) => readonly Finding[];

/** The findings of a union that nothing fits: those that explain it, else those of the nearest branch. */
export function unionFindings(
  place: IssuePlace,
  branches: readonly Branch[],
  explained: ExplainedFindings,
  tell: Tell,
): readonly Finding[] {
  const places = new Set(branches.flatMap(flatten).flatMap(placesOf));
  // An explained fault that no branch raised is one that the validator coerces or strips.
  const told = explained
    .below(place.path)
    .filter(
      ({ path }) =>
        path.length === place.path.length || places.size === 0 || places.has(JSON.stringify(path)),
    );
  if (told.length > 0) return told;
  const whole = branches.map((branch) =>
    branch.map((issue) => wholeRule(issue, place)).find((rule) => rule),
  );
  if (branches.length > 0 && whole.every((rule) => rule !== undefined))
    return [noneFits(place, whole)];
  const nearest = branches
    .filter((branch, position) => branch.length > 0 && whole[position]?.code !== "VAL-002")
    .toSorted((a, b) => a.length - b.length)[0];
  return nearest?.flatMap(tell) ?? [noneFits(place, [])];
}

function flatten(branch: Branch): readonly StandardIssue[] {
  return branch.flatMap((issue) =>
    issue.reading.kind === "union" ? [issue, ...issue.reading.branches.flatMap(flatten)] : [issue],
  );
}

function placesOf(issue: StandardIssue): readonly string[] {
  const names = issue.reading.kind === "unknown-fields" ? issue.reading.names : [];
  return [issue.path, ...names.map((name): readonly PathSegment[] => [...issue.path, name])].map(
    (path) => JSON.stringify(path),
  );
}

/** The rule of a branch that the value as a whole breaks. */
function wholeRule(issue: StandardIssue, place: IssuePlace): BrokenRule | undefined {
  const { reading, path } = issue;
  if (path.length !== place.path.length || reading.kind !== "fault") return undefined;
  return reading.code === "VAL-002" || reading.code === "VAL-008" ? reading : undefined;
}

function noneFits(place: IssuePlace, rules: readonly (BrokenRule | undefined)[]): Finding {
  const schemas = rules.map((rule) => rule?.schema).filter((schema) => schema !== undefined);
  const code = codeOf(rules);
  const expected = schemas.length > 0 ? { expected: expectedText(combined(schemas), false) } : {};
  return { code, path: place.path, ...expected, ...(place.sent ? { actual: place.sent } : {}) };
}

function codeOf(rules: readonly (BrokenRule | undefined)[]): Finding["code"] {
  if (rules.length === 0) return "VAL-013";
  return rules.every((rule) => rule?.code === "VAL-008") ? "VAL-008" : "VAL-002";
}

function combined(schemas: readonly JsonSchema[]): JsonSchema {
  const values = schemas.map((schema) => (typeof schema === "object" ? schema["enum"] : undefined));
  return values.every(Array.isArray) ? { enum: values.flat() } : { anyOf: schemas };
}
