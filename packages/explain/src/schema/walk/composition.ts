import {
  type Expectation,
  type Finding,
  hasField,
  isRecord,
  stringsOf,
} from "../../shared/index.ts";
import type { SchemaIndex, ResolvedSchema } from "../document/index.ts";
import { expectationOf } from "../hints/index.ts";
import { pathOfPlace } from "./place.ts";
import { reportFinding } from "./report.ts";
import {
  type WalkOutcome,
  type SchemaLocation,
  type Visit,
  type Walk,
  addEvaluated,
  passes,
  under,
} from "./walk.ts";

const MAX_CONDITION_DEPTH = 3;
const DEPENDENCIES = ["dependentRequired", "dependentSchemas", "dependencies"];

/** Checks `$ref`, `$dynamicRef` and `$recursiveRef`; a reference out of the document accepts everything. */
export function checkReference(visit: Visit): void {
  const { walk, location, outcome } = visit;
  const { $ref, $dynamicRef, $recursiveRef } = visit.schema;
  if ($ref === undefined && $dynamicRef === undefined && $recursiveRef === undefined) return;
  for (const { schema, base } of targetsOf(visit))
    mergeOutcome(walk, outcome, walk.visit({ ...under(location, schema), base }));
}

/** Checks `allOf`, `not`, `if` and the fields that depend on each other. */
export function checkComposition(visit: Visit): void {
  const { walk, location, schema, outcome } = visit;
  const { allOf, not, if: condition } = schema;
  if (Array.isArray(allOf))
    for (const part of allOf) mergeOutcome(walk, outcome, walk.visit(under(location, part)));
  if (not !== undefined) checkNot(visit, not);
  const { dialect } = walk.index;
  if (condition !== undefined && dialect !== "draft-04" && dialect !== "draft-06")
    checkCondition(visit, condition);
  if (isRecord(location.value)) checkDependencies(visit, location.value);
}

function checkNot(visit: Visit, not: unknown): void {
  const { walk, location } = visit;
  if (!passes(walk.visit(under(location, not)))) return;
  // Of what is denied twice, the faults are known.
  const wanted = isRecord(not) && Object.keys(not).length === 1 ? not["not"] : undefined;
  const faults = wanted === undefined ? [] : walk.visit(under(location, wanted)).findings;
  if (faults.length > 0 && !walk.judges) visit.outcome.findings.push(...faults);
  else reportFinding(visit, "VAL-014", () => forbiddenCombination(visit, not));
}

function mergeOutcome(
  { tracks }: Walk,
  into: WalkOutcome,
  part: WalkOutcome,
  findings: readonly Finding[] = part.findings,
): void {
  into.findings.push(...findings);
  if (tracks) addEvaluated(into.evaluated, part.evaluated);
}

function targetsOf({ walk, location, schema }: Visit): readonly ResolvedSchema[] {
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const { dialect, resolve } = walk.index;
  return [
    typeof $ref === "string" ? resolve($ref, location.base) : undefined,
    typeof $dynamicRef === "string" && dialect === "2020-12"
      ? dynamicTarget(walk.index, location, $dynamicRef)
      : undefined,
    $recursiveRef === "#" && dialect === "2019-09"
      ? recursiveTarget(walk.index, location)
      : undefined,
  ].filter((target) => target !== undefined);
}

function dynamicTarget(
  index: SchemaIndex,
  { base, scope }: SchemaLocation,
  reference: string,
): ResolvedSchema | undefined {
  const target = index.resolve(reference, base);
  const name = reference.slice(reference.indexOf("#") + 1);
  if (!isRecord(target?.schema) || target.schema["$dynamicAnchor"] !== name) return target;
  for (const outer of scope) {
    const found = index.dynamicAnchor(outer, name);
    if (found) return found;
  }
  return target;
}

function recursiveTarget(
  index: SchemaIndex,
  { base, scope }: SchemaLocation,
): ResolvedSchema | undefined {
  const target = index.resolve("#", base);
  const isAnchor = (node: ResolvedSchema | undefined): boolean =>
    isRecord(node?.schema) && node.schema["$recursiveAnchor"] === true;
  if (!isAnchor(target)) return target;
  for (const outer of scope) {
    const found = index.resolve("#", outer);
    if (isAnchor(found)) return found;
  }
  return target;
}

function forbiddenCombination({ walk, location }: Visit, not: unknown): Finding {
  const { value, base } = location;
  const path = pathOfPlace(location);
  const names = isRecord(not) ? stringsOf(not["required"]) : [];
  if (isRecord(value) && names.length > 1) {
    return {
      code: "VAL-014",
      path,
      reason: { kind: "exclusive-fields" },
      expected: { kind: "not-all", names },
    };
  }
  const [name] = names;
  if (isRecord(value) && name !== undefined && isOnlyRequired(not)) {
    const expected = { kind: "absent" } as const;
    const hint = { kind: "leave-out" } as const;
    return {
      code: "VAL-014",
      path: [...path, name],
      reason: { kind: "ruled-out" },
      expected,
      hint,
    };
  }
  const of = expectationOf(walk.index, not, base, { withPattern: true });
  return {
    code: "VAL-014",
    path,
    reason: { kind: "ruled-out" },
    expected: { kind: "not", of },
    actual: { value },
  };
}

function isOnlyRequired(not: unknown): boolean {
  return isRecord(not) && Object.keys(not).every((key) => key === "required" || key === "type");
}

function checkCondition(visit: Visit, condition: unknown): void {
  const { walk, location, schema, outcome } = visit;
  const tested = walk.visit(under(location, condition));
  const holds = passes(tested);
  if (holds && walk.tracks) addEvaluated(outcome.evaluated, tested.evaluated);
  const consequence = holds ? schema["then"] : schema["else"];
  if (consequence === undefined) return;
  const result = walk.visit(under(location, consequence));
  if (walk.judges || result.findings.length === 0) return mergeOutcome(walk, outcome, result);
  const read = placesRead(condition, pathOfPlace(location));
  const findings = result.findings.map((finding) => ({
    ...dependent(visit, finding),
    dependsOn: finding.dependsOn ?? read,
  }));
  mergeOutcome(walk, outcome, result, findings);
}

/** Returns the paths of the fields that a condition reads; while one is wrong, it is unclear whether it holds. */
function placesRead(
  condition: unknown,
  path: Finding["path"],
  depth: number = 0,
): readonly Finding["path"][] {
  if (!isRecord(condition) || depth > MAX_CONDITION_DEPTH) return [];
  const { properties, required, not } = condition;
  const names = [...Object.keys(isRecord(properties) ? properties : {}), ...stringsOf(required)];
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => condition[keyword] ?? []);
  return [
    ...names.map((name) => [...path, name]),
    ...[...parts, not].flatMap((part) => placesRead(part, path, depth + 1)),
  ];
}

function checkDependencies(visit: Visit, value: Readonly<Record<string, unknown>>): void {
  const { walk, location, schema, outcome } = visit;
  const { dialect } = walk.index;
  const isNew = dialect === "2020-12" || dialect === "2019-09";
  for (const keyword of isNew ? DEPENDENCIES : ["dependencies"]) {
    const rules = schema[keyword];
    if (!isRecord(rules)) continue;
    for (const [name, rule] of Object.entries(rules)) {
      if (!hasField(value, name)) continue;
      const inner = Array.isArray(rule) ? { required: stringsOf(rule) } : rule;
      const result = walk.visit(under(location, inner));
      const findings = walk.judges
        ? result.findings
        : result.findings.map((finding) => dependent(visit, finding, name));
      mergeOutcome(walk, outcome, result, findings);
    }
  }
}

/** Turns a field that is missing only because of other fields into a conflict between them (VAL-014). */
function dependent(visit: Visit, finding: Finding, given?: string): Finding {
  const name = finding.path.at(-1);
  const isHere = finding.path.length === visit.location.place.level + 1;
  if (finding.code !== "VAL-001" || !isHere || typeof name !== "string") return finding;
  const expected =
    finding.expected?.kind === "anything" ? fieldExpectation(visit, name) : finding.expected;
  return {
    ...finding,
    code: "VAL-014",
    reason: { kind: "required-because", field: name, ...(given !== undefined && { given }) },
    ...(expected !== undefined && { expected }),
  };
}

/** Returns what the surrounding schema expects of a field that a condition only names. */
function fieldExpectation({ walk, location, schema }: Visit, name: string): Expectation {
  const { properties } = schema;
  const field = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : true;
  return expectationOf(walk.index, field, location.base);
}
