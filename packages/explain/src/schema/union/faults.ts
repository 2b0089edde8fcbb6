import type { Expectation, Finding, Hint } from "../../shared/index.ts";
import { allowedValues, closestOf, hintForValue } from "../hints/index.ts";
import { type SchemaLocation, pathOfPlace } from "../walk/index.ts";
import type { TriedBranch } from "./branch.ts";

/** The expectation of a branch that says nothing more. */
export const ANYTHING: Expectation = { kind: "anything" };

/** The hints to send the same value in another form. */
const REWRITES: readonly string[] = [
  "unquote",
  "unstringify",
  "unwrap-array",
  "unwrap-object",
] satisfies Hint["kind"][];

/** More are not counted. */
const MAX_ALTERNATIVES = 100;

type Fix = Pick<Finding, "hint" | "nested">;

/** Whether a finding has this code and is about the union's whole value. */
export function isHere(finding: Finding, location: SchemaLocation, code: Finding["code"]): boolean {
  return finding.code === code && finding.path.length === location.place.level;
}

/** Reports a value whose type no branch has; if one branch accepts the JSON in a string, also the faults inside it. */
export function ofAnotherType(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
): readonly Finding[] {
  const whole = wrongType(location, branches);
  const meant = whole.nested
    ? branches.filter(({ outcome }) => outcome.findings.some(({ nested }) => nested !== undefined))
    : [];
  const inner = meant.length === 1 ? (meant[0]?.outcome.findings ?? []) : [];
  return [whole, ...inner.filter((found) => !isHere(found, location, "VAL-002"))];
}

function wrongType(location: SchemaLocation, branches: readonly TriedBranch[]): Finding {
  const { value } = location;
  const findings = refusals(location, branches);
  const isWanted = (...kinds: readonly string[]): boolean =>
    findings.some(({ expected }) => expected !== undefined && kinds.includes(firstType(expected)));
  // A quoted scalar is hardly what was meant if objects, arrays or, for a number, numbers are accepted.
  const hardlyQuoted =
    isWanted("object", "array") || (typeof value === "number" && isWanted("integer", "number"));
  return {
    code: "VAL-002",
    path: pathOfPlace(location),
    expected: expectedInstead(location, branches),
    actual: { value },
    sensitive: findings.some((finding) => finding.sensitive === true),
    ...onlyHint(findings.filter(({ hint }) => !hardlyQuoted || hint?.kind !== "use")),
  };
}

/** Reports a value that no branch lists; the lists are joined, and branches of other types follow. */
export function wrongValue(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  others: readonly TriedBranch[],
): Finding {
  const allowed = valuesOf(branches);
  const { value } = location;
  const types = others.length > 0 ? [expectedInstead(location, others)] : [];
  const hinted = hintForValue(allowed, value);
  const listed: Expectation = {
    kind: "values",
    values: allowed,
    ...closestOf(value, allowed),
    ...(hinted.hint !== undefined && { brief: true }),
  };
  return {
    code: "VAL-008",
    path: pathOfPlace(location),
    expected: eitherOf([listed, ...types]),
    actual: { value },
    sensitive: branches.some((branch) => branch.outcome.findings.some((found) => found.sensitive)),
    ...(hinted.hint === undefined ? titleHint(branches, value) : hinted),
    ...(hinted.hint === undefined ? onlyHint(refusals(location, others)) : {}),
  };
}

/** Reports a value that fits none of the branches of its type. */
export function noneFits(location: SchemaLocation, branches: readonly TriedBranch[]): Finding {
  const findings = branches.flatMap((branch) => branch.outcome.findings.slice(0, 1));
  const [first] = findings;
  const agree =
    first !== undefined &&
    findings.every((found) => found.code === first.code && found.path.length === first.path.length);
  return {
    code: agree ? first.code : "VAL-013",
    path: pathOfPlace(location),
    expected: eitherOf(findings.map(({ expected = ANYTHING }) => expected)),
    actual: { value: location.value },
    sensitive: findings.some((finding) => finding.sensitive === true),
    ...onlyHint(findings.filter(({ path }) => path.length === location.place.level)),
  };
}

/** Reports the faults of the only branch of the value's type; if it refuses a scalar's form, the others are named too. */
export function besideOthers(
  location: SchemaLocation,
  { outcome: { findings } }: TriedBranch,
  others: readonly TriedBranch[],
): readonly Finding[] {
  const rest = others.filter((branch) => !acceptsOnlyNull(branch));
  const [first, ...more] = findings;
  const isWhole = first?.path.length === location.place.level;
  // A number that is only too large was meant for this branch.
  const hasWrongForm = first?.code === "VAL-007" || first?.code === "VAL-010";
  if (!hasWrongForm || !isWhole || rest.length === 0 || first.hint !== undefined) return findings;
  const rewritten = refusals(location, rest).filter(
    ({ hint }) => hint !== undefined && REWRITES.includes(hint.kind),
  );
  const types = expectedInstead(location, rest);
  const expected = eitherOf([first.expected ?? ANYTHING, types]);
  return [{ ...first, expected, ...onlyHint(rewritten) }, ...more];
}

/** Returns the findings that refuse the whole value, by its type or as an unlisted value. */
function refusals(location: SchemaLocation, branches: readonly TriedBranch[]): readonly Finding[] {
  return branches.flatMap(({ outcome }) =>
    outcome.findings.filter(
      (found) => isHere(found, location, "VAL-002") || isHere(found, location, "VAL-008"),
    ),
  );
}

/** Returns the hint of these findings if all hints agree; of two different ones, neither is certain. */
function onlyHint(findings: readonly Finding[]): Fix {
  const hinted = findings.filter(({ hint }) => hint !== undefined);
  const different = new Set(
    hinted.map(({ hint }) => JSON.stringify({ ...hint, echoes: undefined })),
  );
  const [only] = different.size === 1 ? hinted : [];
  return {
    ...(only?.hint !== undefined && { hint: only.hint }),
    ...(only?.nested && { nested: only.nested }),
  };
}

/** Returns the value of the branch whose title was sent instead. */
function titleHint(branches: readonly TriedBranch[], value: unknown): Fix {
  if (typeof value !== "string") return {};
  const meant = branches.filter(({ parts }) =>
    parts.some(({ title }) => typeof title === "string" && equalsTitle(title, value)),
  );
  const [only, ...more] = meant.length === 1 ? valuesOf(meant) : [];
  return only === undefined || more.length > 0 ? {} : { hint: { kind: "use", value: only } };
}

function equalsTitle(title: string, text: string): boolean {
  return title.trim().toLowerCase() === text.trim().toLowerCase();
}

/** Returns what branches ask for instead; those that list values are joined into one list. */
function expectedInstead(location: SchemaLocation, branches: readonly TriedBranch[]): Expectation {
  const listing = branches.filter((branch) => branch.parts.some(allowedValues));
  const together = listing.length > 1 ? listing : [];
  const rest = branches.filter((branch) => !together.includes(branch));
  const others = refusals(location, rest).map(({ expected = ANYTHING }) => expected);
  const listed: readonly Expectation[] =
    together.length > 0 ? [{ kind: "values", values: valuesOf(together) }] : [];
  return eitherOf([...listed, ...others], true);
}

/**
 * What several branches ask for, each thing once. A choice may hold choices, which hold none: in a union of unions of
 * unions they would hold each other.
 */
export function eitherOf(of: readonly Expectation[], plainFirst = false): Expectation {
  const flat = of.map((one) =>
    one.kind === "branches" ? { ...one, of: someOf(one.of.flatMap(alternatives)) } : one,
  );
  return { kind: "branches", of: someOf(flat), ...(plainFirst && { plainFirst }) };
}

function alternatives(expected: Expectation): readonly Expectation[] {
  return expected.kind === "branches" ? expected.of : [expected];
}

function someOf(of: readonly Expectation[]): readonly Expectation[] {
  return [...new Set(of)].slice(0, MAX_ALTERNATIVES);
}

/** Returns the type that an expectation names first. */
function firstType(expected: Expectation): string {
  switch (expected.kind) {
    case "number":
    case "type":
      return expected.type;
    case "tuple":
    case "containing":
      return "array";
    case "map":
    case "tagged":
    case "size":
      return "object";
    case "counted":
      return firstType(expected.of);
    case "either":
    case "branches":
      return expected.of[0] === undefined ? "" : firstType(expected.of[0]);
    default:
      return expected.kind;
  }
}

function valuesOf(branches: readonly TriedBranch[]): readonly unknown[] {
  return branches.flatMap(({ parts }) => parts.flatMap((part) => allowedValues(part) ?? []));
}

function acceptsOnlyNull({ parts }: TriedBranch): boolean {
  return parts.some((part) => part["type"] === "null" || part["const"] === null);
}
