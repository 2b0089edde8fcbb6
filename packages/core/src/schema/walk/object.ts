import { expectationOf } from "../facts/index.ts";
import {
  type Holder,
  type StrayFields,
  fitsAs,
  holderOf,
  strayField,
  strayFields,
} from "./fields.ts";
import {
  type Expectation,
  type Finding,
  hasField,
  isRecord,
  stringsOf,
  type SchemaObject,
} from "../../shared/index.ts";
import { type Location, type Outcome, type Walk, inside, passes } from "./walk.ts";

type Fields = Readonly<Record<string, unknown>>;
type Part = (
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
  value: Fields,
  strays: StrayFields,
) => void;

/** `properties` and its kin, `required`, `propertyNames` and the numbers of fields. */
export function checkObject(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const { value } = location;
  if (!isRecord(value)) return;
  const strays = strayFields(schema, value);
  for (const check of PARTS) {
    if (outcome.findings.length < walk.maxFindings)
      check(walk, location, schema, outcome, value, strays);
  }
}

const checkRequired: Part = (walk, location, schema, outcome, value, strays) => {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const missing = missingNames(schema, value);
  if (missing.length === 0) return;
  const { additionalProperties: rest } = schema;
  const isOpen = !isRecord(rest) || Object.keys(rest).length === 0;
  const holder = isOpen ? holderOf(properties, missing, value, location.path.at(-1)) : undefined;
  for (const name of missing) {
    if (outcome.findings.length >= walk.maxFindings) return;
    const nestedUnder =
      holder && hasField(holder.fields, name)
        ? { nestedUnder: { name: holder.name, fields: Object.keys(holder.fields) } }
        : {};
    outcome.findings.push({
      ...missingField(walk, location, schema, strays, name),
      ...nestedUnder,
    });
  }
  if (holder) outcome.findings.push(...insideHolder(walk, location, holder));
};

function missingNames(schema: SchemaObject, value: Fields): readonly string[] {
  return [...new Set(stringsOf(schema["required"]))].filter((name) => !hasField(value, name));
}

/** What is wrong with fields that were sent one level too deep; the missing ones are told where they belong. */
function insideHolder(
  walk: Walk,
  location: Location,
  { name, fields }: Holder,
): readonly Finding[] {
  const place = inside(location, location.schema, name, fields, false);
  const depth = place.path.length + 1;
  return walk
    .visit(place)
    .findings.filter(({ code, path }) => code !== "VAL-001" || path.length !== depth);
}

function missingField(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  strays: StrayFields,
  name: string,
): Finding {
  const { properties, additionalProperties } = schema;
  const isDeclared = isRecord(properties) && Object.hasOwn(properties, name);
  const others = isRecord(additionalProperties) ? additionalProperties : undefined;
  const declared = isDeclared ? properties[name] : others;
  const stray = sentAs(walk, location, { name, schema: declared }, strays);
  return {
    code: "VAL-001",
    path: [...location.path, name],
    // Nothing of it was checked yet, so everything that it must be is shown.
    expected: expectationOf(walk.index, declared ?? true, location.base, { withPattern: "alone" }),
    ...(stray === undefined ? {} : { misnamedAs: stray }),
  };
}

/** The undeclared field under which a declared one was sent, where what was sent may stand there. */
function sentAs(
  walk: Walk,
  location: Location,
  { name, schema }: { readonly name: string; readonly schema: unknown },
  strays: StrayFields,
): string | undefined {
  const stray = strays.sentFor(name);
  if (stray === undefined || !isRecord(location.value)) return undefined;
  const meant = inside(location, schema, name, location.value[stray], false);
  return fitsAs(meant, walk.enter(meant).findings) ? stray : undefined;
}

const checkFields: Part = (walk, location, schema, outcome, value, strays) => {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const patterns = isRecord(schema["patternProperties"])
    ? Object.entries(schema["patternProperties"])
    : [];
  const { additionalProperties } = schema;
  const required = new Set(stringsOf(schema["required"]));
  const { evaluated, findings } = outcome;
  for (const name of Object.keys(properties)) evaluated.declared.add(name);
  if (additionalProperties !== undefined) evaluated.allFields = true;
  const names = Object.keys(value);
  // Declared fields are always looked at; how many others are is bounded.
  for (const [position, name] of names.entries()) {
    if (findings.length >= walk.maxFindings) return;
    if (!hasField(value, name)) continue;
    const schemas = Object.hasOwn(properties, name) ? [properties[name]] : [];
    if (schemas.length === 0 && position >= walk.maxEntries) continue;
    for (const [pattern, extra] of patterns)
      if (walk.matchesPattern(pattern, name)) schemas.push(extra);
    if (schemas.length > 0) evaluated.fields.add(name);
    else if (additionalProperties === false) {
      findings.push(...strayField(walk, location, schema, value, name, strays, patterns));
    } else if (additionalProperties !== undefined) schemas.push(additionalProperties);
    const optional = !required.has(name);
    for (const inner of schemas)
      findings.push(...walk.enter(inside(location, inner, name, value[name], optional)).findings);
  }
};

const checkNames: Part = (walk, location, schema, outcome, value) => {
  const { propertyNames } = schema;
  if (propertyNames === undefined || walk.index.dialect === "draft-04") return;
  for (const name of Object.keys(value).slice(0, walk.maxEntries)) {
    const place = inside(location, propertyNames, name, name, true);
    if (passes(walk.visit(place))) continue;
    const of = expectationOf(walk.index, propertyNames, location.base, { withPattern: true });
    const expected: Expectation = { kind: "field-names", of };
    outcome.findings.push({ code: "VAL-003", path: place.path, expected });
  }
};

const checkSize: Part = (walk, location, schema, outcome, value) => {
  const { minProperties, maxProperties } = schema;
  // Missing fields are told anyway.
  const size = Object.keys(value).length + missingNames(schema, value).length;
  // What is refused anyway must not be too many as well.
  const known = knownNames(walk, schema, value).length;
  const min = typeof minProperties === "number" && size < minProperties ? minProperties : undefined;
  const max =
    typeof maxProperties === "number" && known > maxProperties ? maxProperties : undefined;
  if (min === undefined && max === undefined) return;
  const limits = min === undefined ? { max: max ?? 0 } : { min };
  outcome.findings.push({
    code: "VAL-003",
    path: location.path,
    expected: { kind: "size", limits },
    actual: { value },
  });
};

/** The fields that are not refused anyway. */
function knownNames(walk: Walk, schema: SchemaObject, value: Fields): readonly string[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const names = Object.keys(value);
  if (additionalProperties !== false || !isRecord(properties) || !isRecord(patternProperties))
    return names;
  const patterns = Object.keys(patternProperties);
  return names.filter(
    (name) =>
      Object.hasOwn(properties, name) ||
      patterns.some((pattern) => walk.matchesPattern(pattern, name)),
  );
}

const PARTS: readonly Part[] = [checkRequired, checkFields, checkNames, checkSize];
