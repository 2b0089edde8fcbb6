import { expectationOf } from "../facts/index.ts";
import { type Location, type Outcome, type Walk, addEvaluated, passes, under } from "./walk.ts";
import {
  type Expectation,
  type Finding,
  hasField,
  isRecord,
  stringsOf,
  type SchemaObject,
} from "../../shared/index.ts";
import type { SchemaNode } from "../document/index.ts";

const MAX_CONDITION_DEPTH = 3;

/** `allOf`, `not`, `if`, and fields that depend on each other. */
export function checkComposition(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  if (Array.isArray(schema["allOf"])) {
    for (const part of schema["allOf"]) take(outcome, walk.visit(under(location, part)));
  }
  if (schema["not"] !== undefined && passes(walk.visit(under(location, schema["not"])))) {
    outcome.findings.push(forbiddenCombination(walk, location, schema["not"]));
  }
  if (
    schema["if"] !== undefined &&
    walk.index.dialect !== "draft-04" &&
    walk.index.dialect !== "draft-06"
  ) {
    checkCondition(walk, location, schema, outcome);
  }
  if (isRecord(location.value)) checkDependencies(walk, location, schema, outcome, location.value);
}

function take(outcome: Outcome, part: Outcome, findings: readonly Finding[] = part.findings): void {
  outcome.findings.push(...findings);
  addEvaluated(outcome.evaluated, part.evaluated);
}

function checkCondition(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const condition = walk.visit(under(location, schema["if"]));
  const holds = passes(condition);
  if (holds) addEvaluated(outcome.evaluated, condition.evaluated);
  const consequence = holds ? schema["then"] : schema["else"];
  if (consequence === undefined) return;
  const result = walk.visit(under(location, consequence));
  take(
    outcome,
    result,
    result.findings.map((finding) => ({
      ...dependent(walk, finding, location),
      dependsOn: finding.dependsOn ?? placesRead(schema["if"], location.path),
    })),
  );
}

/** The fields that a condition looks at; while one of them is wrong, nobody knows whether it holds. */
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

function checkDependencies(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
  value: Readonly<Record<string, unknown>>,
): void {
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const rules = schema[keyword];
    if (!isRecord(rules)) continue;
    for (const [name, rule] of Object.entries(rules)) {
      if (!hasField(value, name)) continue;
      const inner = Array.isArray(rule) ? { required: stringsOf(rule) } : rule;
      const result = walk.visit(under(location, inner));
      take(
        outcome,
        result,
        result.findings.map((finding) => dependent(walk, finding, location, name)),
      );
    }
  }
}

/** A field that is missing only because of what the others say is a conflict between them (VAL-014). */
function dependent(walk: Walk, finding: Finding, location: Location, given?: string): Finding {
  const name = finding.path.at(-1);
  const isHere = finding.path.length === location.path.length + 1;
  if (finding.code !== "VAL-001" || !isHere || typeof name !== "string") return finding;
  const reason = {
    kind: "required-because" as const,
    field: name,
    ...(given !== undefined && { given }),
  };
  const expected =
    finding.expected?.kind === "anything"
      ? fieldExpectation(walk, location, name)
      : finding.expected;
  return { ...finding, code: "VAL-014", reason, ...(expected !== undefined && { expected }) };
}

/** What the schema around a condition says of a field that the condition only names. */
function fieldExpectation(walk: Walk, location: Location, name: string): Expectation {
  const properties = isRecord(location.schema) ? location.schema["properties"] : undefined;
  const field = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : true;
  return expectationOf(walk.index, field, location.base);
}

function forbiddenCombination(walk: Walk, location: Location, not: unknown): Finding {
  const { path, value } = location;
  const names = isRecord(not) ? stringsOf(not["required"]) : [];
  if (isRecord(value) && names.length > 1) {
    return {
      code: "VAL-014",
      path,
      reason: { kind: "exclusive-fields" },
      expected: { kind: "not-all", names },
    };
  }
  const of = expectationOf(walk.index, not, location.base, { withPattern: true });
  return {
    code: "VAL-014",
    path,
    reason: { kind: "ruled-out" },
    expected: { kind: "not", of },
    actual: { value },
  };
}

/** `$ref`, `$dynamicRef` and `$recursiveRef`; what lies outside of the document lets everything pass. */
export function checkReference(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  for (const target of targetsOf(walk, location, schema)) {
    const { findings, evaluated } = walk.visit({
      ...location,
      schema: target.schema,
      base: target.base,
      depth: location.depth + 1,
    });
    outcome.findings.push(...findings);
    addEvaluated(outcome.evaluated, evaluated);
  }
}

function targetsOf(walk: Walk, location: Location, schema: SchemaObject): readonly SchemaNode[] {
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const { dialect, resolve } = walk.index;
  return [
    typeof $ref === "string" ? resolve($ref, location.base) : undefined,
    typeof $dynamicRef === "string" && dialect === "2020-12"
      ? dynamicTarget(walk, location, $dynamicRef)
      : undefined,
    $recursiveRef === "#" && dialect === "2019-09" ? recursiveTarget(walk, location) : undefined,
  ].filter((target) => target !== undefined);
}

function dynamicTarget(walk: Walk, location: Location, reference: string): SchemaNode | undefined {
  const target = walk.index.resolve(reference, location.base);
  const name = reference.slice(reference.indexOf("#") + 1);
  if (!isRecord(target?.schema) || target.schema["$dynamicAnchor"] !== name) return target;
  for (const base of location.scope) {
    const found = walk.index.dynamicAnchor(base, name);
    if (found) return found;
  }
  return target;
}

function recursiveTarget(walk: Walk, location: Location): SchemaNode | undefined {
  const target = walk.index.resolve("#", location.base);
  const isAnchor = (node: SchemaNode | undefined): boolean =>
    isRecord(node?.schema) && node.schema["$recursiveAnchor"] === true;
  if (!isAnchor(target)) return target;
  for (const base of location.scope) {
    const found = walk.index.resolve("#", base);
    if (isAnchor(found)) return found;
  }
  return target;
}
