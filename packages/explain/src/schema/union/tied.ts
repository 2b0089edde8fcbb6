import {
  type Expectation,
  type Finding,
  comparePaths,
  hasField,
  isRecord,
} from "../../shared/index.ts";
import { type Fields, type SchemaLocation, pathOfPlace } from "../walk/index.ts";
import type { TriedBranch } from "./branch.ts";
import { keyOf } from "./choice.ts";
import { ANYTHING, eitherOf } from "./faults.ts";

/** Reports the faults that equally likely branches share, and what each asks for besides. */
export function tied(
  location: SchemaLocation,
  branches: readonly TriedBranch[],
  value: Fields,
): readonly Finding[] {
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
  const exclusive = exclusiveFields(own, branches);
  const path = pathOfPlace(location);
  if (exclusive.length > 1)
    return [
      ...shared,
      {
        code: "VAL-014",
        path,
        reason: { kind: "exclusive-fields" },
        expected: { kind: "only-one", names: exclusive },
      },
    ];
  const atOnePlace = atSamePlace(own);
  if (atOnePlace) return [...shared, atOnePlace];
  return [
    ...shared,
    {
      code: "VAL-013",
      path,
      expected: { kind: "branches", of: own.map((list, at) => wantedBy(list, branches[at])) },
      actual: { value },
      wanted: own.filter(isMissing).map(fieldNames),
      ...keyedAs(branches, value),
    },
  ];
}

function wantedBy(findings: readonly Finding[], branch: TriedBranch | undefined): Expectation {
  if (isMissing(findings)) return { kind: "branch", missing: fieldNames(findings) };
  const expected = branch?.expects() ?? ANYTHING;
  return expected.kind === "anything" ? { kind: "variant", name: branch?.name ?? "" } : expected;
}

/** The fields of which each branch takes one and forbids the others; none if anything else is wrong. */
function exclusiveFields(
  own: readonly (readonly Finding[])[],
  branches: readonly TriedBranch[],
): readonly string[] {
  const names = own.flat().flatMap(({ code, path }) => (code === "VAL-005" ? [path.at(-1)] : []));
  const isOnly = own.flat().every(({ code }) => code === "VAL-005");
  const required = new Set(branches.flatMap((branch) => branch.required));
  const known = [...required].filter((name) => names.includes(name));
  return isOnly && known.length === new Set(names).size ? known : [];
}

/** The one fault of each branch, if all are about the same value further in: it may be what any of them asks for. */
function atSamePlace(own: readonly (readonly Finding[])[]): Finding | undefined {
  const [[first, ...more] = []] = own;
  const isAlike = (list: readonly Finding[]): boolean =>
    list.length === 1 &&
    list[0] !== undefined &&
    first !== undefined &&
    list[0].code === first.code &&
    comparePaths(list[0].path, first.path) === 0;
  if (first === undefined || more.length > 0 || first.code === "VAL-001") return undefined;
  if (!own.every(isAlike)) return undefined;
  const { hint: _, nested: _nested, note: _note, ...rest } = first;
  return { ...rest, expected: eitherOf(own.flat().map(({ expected = ANYTHING }) => expected)) };
}

const MAX_JSON = 400;

/** For branches of one key each: the value with the key that it names as a value (`{"name": "click", "index": 3}`). */
function keyedAs(branches: readonly TriedBranch[], value: Fields): Pick<Finding, "hint"> {
  if (!branches.every(({ required }) => required.length === 1)) return {};
  const keys = new Set(branches.map(({ required }) => required[0]));
  const entries = Object.entries(value);
  const named = entries.filter(([, one]) => typeof one === "string" && keys.has(one));
  const [[name, key] = []] = named;
  if (named.length !== 1 || name === undefined || hasField(value, String(key))) return {};
  const others = entries.filter(([other]) => other !== name);
  const [[, only] = []] = others;
  const inner = others.length === 1 && isRecord(only) ? only : Object.fromEntries(others);
  const meant = { [String(key)]: inner };
  return JSON.stringify(meant).length > MAX_JSON
    ? {}
    : { hint: { kind: "use", value: meant, echoes: true } };
}

function isMissing(findings: readonly Finding[]): boolean {
  return findings.every(({ code }) => code === "VAL-001");
}

function fieldNames(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ path }) => String(path.at(-1)));
}
