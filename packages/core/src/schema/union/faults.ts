import { allowedValues, hintForValue } from "../facts/index.ts";
import type { Branch } from "./branch.ts";
import type { Location } from "../walk/index.ts";
import type { Expectation, Finding, Hint } from "../../shared/index.ts";

/** What to say of a branch that has no expectation. */
export const ANYTHING: Expectation = { kind: "anything" };

/** The hints that say to send the same in another form. */
const SENDS: readonly string[] = [
  "unquote",
  "unstringify",
  "unwrap-array",
] satisfies Hint["kind"][];

type Fix = Pick<Finding, "hint" | "nested">;

/** Tells whether a finding is of this code and about the union's value as a whole. */
export function isHere(finding: Finding, location: Location, code: Finding["code"]): boolean {
  return finding.code === code && finding.path.length === location.path.length;
}

/** No branch is of the value's type; what a text holds is told as well, where it is of a branch's. */
export function ofAnotherType(location: Location, branches: readonly Branch[]): readonly Finding[] {
  const whole = wrongType(location, branches);
  const meant = whole.nested
    ? branches.filter(({ outcome }) => outcome.findings.some(({ nested }) => nested !== undefined))
    : [];
  const inner = meant.length === 1 ? (meant[0]?.outcome.findings ?? []) : [];
  return [whole, ...inner.filter((found) => !isHere(found, location, "VAL-002"))];
}

function wrongType(location: Location, branches: readonly Branch[]): Finding {
  const { path, value } = location;
  const findings = refusals(location, branches);
  const isWanted = (...kinds: readonly string[]): boolean =>
    findings.some(({ expected }) => expected !== undefined && kinds.includes(kindOf(expected)));
  // Where an object or a list may stand, a scalar in quotes is hardly what was meant, nor a number where numbers may.
  const isQuoted =
    isWanted("object", "array") || (typeof value === "number" && isWanted("integer", "number"));
  return {
    code: "VAL-002",
    path,
    expected: wantedInstead(location, branches),
    actual: { value },
    sensitive: findings.some((finding) => finding.sensitive === true),
    ...onlyHint(findings.filter(({ hint }) => !isQuoted || hint?.kind !== "use")),
  };
}

/** Several lists of values read as one; branches of another type stand beside it. */
export function wrongValue(
  location: Location,
  branches: readonly Branch[],
  others: readonly Branch[],
): Finding {
  const allowed = valuesOf(branches);
  const { value, path } = location;
  const types = others.length > 0 ? [wantedInstead(location, others)] : [];
  const near = hintForValue(allowed, value);
  const listed: Expectation = {
    kind: "values",
    values: allowed,
    ...(near.hint !== undefined && { brief: true }),
  };
  return {
    code: "VAL-008",
    path,
    expected: { kind: "branches", of: [listed, ...types] },
    actual: { value },
    sensitive: branches.some((branch) => branch.outcome.findings.some((found) => found.sensitive)),
    ...(near.hint === undefined ? labelHint(branches, value) : near),
    ...(near.hint === undefined ? onlyHint(refusals(location, others)) : {}),
  };
}

/** Branches of the value's type, none of which it fits. */
export function noneFits(location: Location, branches: readonly Branch[]): Finding {
  const findings = branches.flatMap((branch) => branch.outcome.findings.slice(0, 1));
  const [first] = findings;
  const agree =
    first !== undefined &&
    findings.every((found) => found.code === first.code && found.path.length === first.path.length);
  return {
    code: agree ? first.code : "VAL-013",
    path: location.path,
    expected: { kind: "branches", of: findings.map(({ expected = ANYTHING }) => expected) },
    actual: { value: location.value },
    sensitive: findings.some((finding) => finding.sensitive === true),
    ...onlyHint(findings.filter(({ path }) => path.length === location.path.length)),
  };
}

/** The faults of the only branch of this type; where it refuses a scalar as a whole, the others may have been meant. */
export function besideOthers(
  location: Location,
  { outcome: { findings } }: Branch,
  others: readonly Branch[],
): readonly Finding[] {
  const rest = others.filter((branch) => !acceptsOnlyNull(branch));
  const [first, ...more] = findings;
  const isWhole = findings.every(({ path }) => path.length === location.path.length);
  const isScalar = typeof location.value !== "object" || location.value === null;
  // A number that is only too large was meant for this branch.
  const isOfOtherShape = first?.code === "VAL-007" || first?.code === "VAL-010";
  if (!isOfOtherShape || !isWhole || !isScalar || rest.length === 0 || first.hint !== undefined)
    return findings;
  const sent = refusals(location, rest).filter(
    ({ hint }) => hint !== undefined && SENDS.includes(hint.kind),
  );
  const types = wantedInstead(location, rest);
  const of = [first.expected ?? ANYTHING, types];
  return [{ ...first, expected: { kind: "branches", of }, ...onlyHint(sent) }, ...more];
}

/** What the branches say of the value as a whole, each in its first finding of that kind. */
function refusals(location: Location, branches: readonly Branch[]): readonly Finding[] {
  return branches.flatMap(({ outcome }) =>
    outcome.findings.filter(
      (found) => isHere(found, location, "VAL-002") || isHere(found, location, "VAL-008"),
    ),
  );
}

/** Two ways to mend a value are no certain one. */
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

/** The value of the branch whose title was sent instead. */
function labelHint(branches: readonly Branch[], value: unknown): Fix {
  if (typeof value !== "string") return {};
  const meant = branches.filter(({ parts }) =>
    parts.some(({ title }) => typeof title === "string" && equalsLabel(title, value)),
  );
  const [only, ...more] = meant.length === 1 ? valuesOf(meant) : [];
  return only === undefined || more.length > 0 ? {} : { hint: { kind: "use", value: only } };
}

function equalsLabel(title: string, text: string): boolean {
  return title.trim().toLowerCase() === text.trim().toLowerCase();
}

/** What other branches ask for; those that list values read as one list. */
function wantedInstead(location: Location, branches: readonly Branch[]): Expectation {
  const listing = branches.filter((branch) => branch.parts.some(allowedValues));
  const together = listing.length > 1 ? listing : [];
  const rest = branches.filter((branch) => !together.includes(branch));
  const others = refusals(location, rest).map(({ expected = ANYTHING }) => expected);
  const listed: readonly Expectation[] =
    together.length > 0 ? [{ kind: "values", values: valuesOf(together) }] : [];
  return { kind: "branches", of: [...listed, ...others], plainFirst: true };
}

/** The type with which the words of an expectation begin. */
function kindOf(expected: Expectation): string {
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
      return kindOf(expected.of);
    case "either":
    case "branches":
      return expected.of[0] === undefined ? "" : kindOf(expected.of[0]);
    default:
      return expected.kind;
  }
}

function valuesOf(branches: readonly Branch[]): readonly unknown[] {
  return branches.flatMap(({ parts }) => parts.flatMap((part) => allowedValues(part) ?? []));
}

function acceptsOnlyNull({ parts }: Branch): boolean {
  return parts.some((part) => part["type"] === "null" || part["const"] === null);
}
