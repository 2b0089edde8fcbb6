import {
  type Expectation,
  type Finding,
  type SchemaObject,
  hasField,
  isRecord,
  stringsOf,
} from "../../shared/index.ts";
import { expectationOf, nearest } from "../hints/index.ts";
import { NO_STRAYS, type ObjectVisit, fitsAs, strayField, strayFields } from "./stray-fields.ts";
import { wrappedFaults, wrapperFault } from "./wrapper.ts";
import { noteOf } from "./notes.ts";
import { pathOfPlace } from "./place.ts";
import { reportFinding } from "./report.ts";
import {
  type Evaluated,
  type Fields,
  type Visit,
  type Walk,
  inside,
  mention,
  passes,
} from "./walk.ts";

const CHECKS: readonly ((visit: ObjectVisit) => void)[] = [
  checkRequired,
  checkFields,
  checkPropertyNames,
  checkSize,
];

/** Checks `properties` and its kin, `required`, `propertyNames`, `minProperties` and `maxProperties`. */
export function checkObject(visit: Visit): void {
  const { walk, location, schema, outcome } = visit;
  const { value } = location;
  if (!isRecord(value)) return;
  // Without words to find, nobody asks what a field was meant to be.
  const strays = walk.judges
    ? NO_STRAYS
    : strayFields(walk, schema, { value, ownName: location.place.segment });
  const objectVisit = { ...visit, value, strays };
  for (const check of CHECKS) if (outcome.findings.length < walk.maxFindings) check(objectVisit);
}

function checkRequired(visit: ObjectVisit): void {
  const { walk, location, schema, outcome, value, strays } = visit;
  const missing = missingNames(schema, value);
  const [first] = missing;
  if (first === undefined) return;
  if (walk.judges) return reportFinding(visit, "VAL-001", () => [], first);
  const wrapper = strays.wrapper();
  for (const name of missing) {
    if (outcome.findings.length >= walk.maxFindings) return;
    const isHeld = wrapper?.holds.has(name) === true;
    const { field, faults } = missingField(visit, name);
    outcome.findings.push({ ...field, ...(isHeld && { nestedUnder: wrapper.name }) }, ...faults);
  }
  if (!wrapper) return;
  // In a closed object the wrapper is an unknown field anyway.
  if (schema["additionalProperties"] !== false && !missing.some((name) => wrapper.holds.has(name)))
    outcome.findings.push(wrapperFault(pathOfPlace(location), wrapper));
  outcome.findings.push(...wrappedFaults(walk, location, wrapper));
}

function missingNames(schema: SchemaObject, value: Fields): readonly string[] {
  const missing = stringsOf(schema["required"]).filter((name) => !hasField(value, name));
  return missing.length > 1 ? [...new Set(missing)] : missing;
}

/** Reports a missing field and, if it was sent under another name in an open object, the faults of its value. */
function missingField(
  visit: ObjectVisit,
  name: string,
): { readonly field: Finding; readonly faults: readonly Finding[] } {
  const { walk, location, schema } = visit;
  const { properties, additionalProperties } = schema;
  const isDeclared = isRecord(properties) && Object.hasOwn(properties, name);
  const others = isRecord(additionalProperties) ? additionalProperties : undefined;
  const declared = isDeclared ? properties[name] : others;
  const sent = sentAs(visit, name, declared);
  const isOpen = additionalProperties !== false;
  const expected = expectationOf(walk.index, declared ?? true, location.base, {
    withPattern: "alone",
  });
  const field: Finding = {
    code: "VAL-001",
    path: [...pathOfPlace(location), name],
    // None of it has been checked yet, so the whole expectation is shown.
    expected,
    ...(takesNull(expected) && { hint: { kind: "send-null" } }),
    note: noteOf(walk, inside(location, declared, name, undefined, false)),
    ...(sent === undefined ? {} : { misnamedAs: sent.stray }),
  };
  return { field, faults: isOpen ? (sent?.faults ?? []) : [] };
}

function takesNull(expected: Expectation): boolean {
  return expected.kind === "either"
    ? expected.of.some(takesNull)
    : expected.kind === "type" && expected.type === "null";
}

/** Returns the undeclared field under which a declared one was sent, if its value fits there, and the value's faults. */
function sentAs(
  { walk, location, value, strays }: ObjectVisit,
  name: string,
  schema: unknown,
): { readonly stray: string; readonly faults: readonly Finding[] } | undefined {
  const stray = strays.sentFor(name);
  if (stray === undefined) return undefined;
  const meant = inside(location, schema, name, value[stray], false);
  const { findings } = walk.enter(meant);
  if (!fitsAs(pathOfPlace(meant), meant.value, findings)) return undefined;
  const assumed = meant.place.level;
  return { stray, faults: findings.map((found) => ({ ...found, assumed })) };
}

function checkFields(visit: ObjectVisit): void {
  const { walk, location, schema, outcome, value } = visit;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const patterns = isRecord(schema["patternProperties"])
    ? Object.entries(schema["patternProperties"])
    : [];
  const { additionalProperties } = schema;
  const required = new Set(stringsOf(schema["required"]));
  const { evaluated, findings } = outcome;
  if (walk.tracks) noteDeclared(visit, properties);
  for (const name of checkedNames(walk, value, properties)) {
    if (findings.length >= walk.maxFindings) return;
    if (!hasField(value, name)) continue;
    const schemas = Object.hasOwn(properties, name) ? [properties[name]] : [];
    for (const [pattern, extra] of patterns)
      if (walk.matchesPattern(pattern, name)) schemas.push(extra);
    if (schemas.length > 0) {
      if (walk.tracks) evaluated.fields.add(name);
    } else if (additionalProperties === false)
      reportFinding(visit, "VAL-005", () => strayField(visit, name, patterns), name);
    else if (additionalProperties !== undefined) schemas.push(additionalProperties);
    const optional = !required.has(name);
    for (const inner of schemas)
      findings.push(...walk.enter(inside(location, inner, name, value[name], optional)).findings);
  }
}

function noteDeclared(
  { walk, schema, outcome: { evaluated } }: ObjectVisit,
  properties: SchemaObject,
): void {
  for (const name of Object.keys(properties)) evaluated.declared.add(name);
  if (walk.closedObjects !== "schema") mentionNames(schema, evaluated);
  if (schema["additionalProperties"] !== undefined) evaluated.allFields = true;
}

/** Notes the fields that a schema names beside `properties`. */
function mentionNames(schema: SchemaObject, evaluated: Evaluated): void {
  const { propertyNames, dependentRequired, dependentSchemas, dependencies } = schema;
  const listed = isRecord(propertyNames) ? stringsOf(propertyNames["enum"]) : [];
  for (const name of [...stringsOf(schema["required"]), ...listed]) mention(evaluated, name);
  for (const rules of [dependentRequired, dependentSchemas, dependencies]) {
    if (!isRecord(rules)) continue;
    for (const [name, rule] of Object.entries(rules)) {
      mention(evaluated, name);
      for (const needed of stringsOf(rule)) mention(evaluated, needed);
    }
  }
}

/** Declared fields are always checked; the number of others is limited. */
function checkedNames(walk: Walk, value: Fields, properties: SchemaObject): readonly string[] {
  const names = walk.namesOf(value);
  if (names.length <= walk.maxEntries) return names;
  const first = new Set(names.slice(0, walk.maxEntries));
  for (const name of Object.keys(properties)) if (Object.hasOwn(value, name)) first.add(name);
  return [...first];
}

function checkPropertyNames(visit: ObjectVisit): void {
  const { walk, location, schema, value } = visit;
  const { propertyNames } = schema;
  if (propertyNames === undefined || walk.index.dialect === "draft-04") return;
  for (const name of walk.namesOf(value).slice(0, walk.maxEntries)) {
    const named = inside(location, propertyNames, name, name, true);
    if (passes(walk.visit(named))) continue;
    reportFinding({ ...visit, location: named }, "VAL-003", () => {
      const of = expectationOf(walk.index, propertyNames, location.base, { withPattern: true });
      const expected: Expectation = { kind: "field-names", of };
      return { code: "VAL-003", path: pathOfPlace(named), expected, ...renamedTo(of, name, value) };
    });
  }
}

/** The listed name that was surely meant, if it was not sent as well. */
function renamedTo(of: Expectation, name: string, value: Fields): Pick<Finding, "hint"> {
  const meant = of.kind === "values" ? nearest(name, of.values.filter(isText)) : undefined;
  return meant === undefined || hasField(value, meant)
    ? {}
    : { hint: { kind: "rename-to", name: meant } };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function checkSize(visit: ObjectVisit): void {
  const { walk, location, schema, value } = visit;
  const { minProperties, maxProperties } = schema;
  if (typeof minProperties !== "number" && typeof maxProperties !== "number") return;
  // Missing fields and unknown ones are reported anyway, so they count as sent and as absent.
  const size = walk.namesOf(value).length + missingNames(schema, value).length;
  const known = knownNames(walk, schema, value).length;
  const min = typeof minProperties === "number" && size < minProperties ? minProperties : undefined;
  const max =
    typeof maxProperties === "number" && known > maxProperties ? maxProperties : undefined;
  if (min === undefined && max === undefined) return;
  reportFinding(visit, "VAL-003", () => ({
    code: "VAL-003",
    path: pathOfPlace(location),
    expected: { kind: "size", limits: min === undefined ? { max: max ?? 0 } : { min } },
    actual: { value },
  }));
}

/** Returns the names of the fields that are not refused as unknown. */
function knownNames(walk: Walk, schema: SchemaObject, value: Fields): readonly string[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const names = walk.namesOf(value);
  if (additionalProperties !== false || !isRecord(properties) || !isRecord(patternProperties))
    return names;
  const patterns = Object.keys(patternProperties);
  return names.filter(
    (name) =>
      Object.hasOwn(properties, name) ||
      patterns.some((pattern) => walk.matchesPattern(pattern, name)),
  );
}
