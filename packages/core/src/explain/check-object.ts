import { describe, listNames, plural } from "./describe.ts";
import { hasField, isRecord, textsOf } from "./json-type.ts";
import { nearest } from "./near.ts";
import {
  inside,
  passes,
  type Finding,
  type Location,
  type Outcome,
  type SchemaRecord,
  type Walk,
} from "./walk.ts";

// A model misspells a few keys; an object with more unknown ones than this holds something else.
const MAX_STRAYS = 20;

type Fields = Readonly<Record<string, unknown>>;
type Part = (
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  outcome: Outcome,
  value: Fields,
) => void;

/** `properties` and its kin, `required`, `propertyNames` and the numbers of fields. */
export function checkObject(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  outcome: Outcome,
): void {
  const { value } = location;
  if (!isRecord(value)) return;
  for (const check of [checkRequired, checkFields, checkNames, checkSize]) {
    if (outcome.findings.length < walk.maxFindings) check(walk, location, schema, outcome, value);
  }
}

const checkRequired: Part = (walk, location, schema, outcome, value) => {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  if (!Array.isArray(schema["required"])) return;
  let strays: ReadonlyMap<string, string> | undefined;
  for (const name of new Set(textsOf(schema["required"]))) {
    if (hasField(value, name)) continue;
    if (outcome.findings.length >= walk.maxFindings) return;
    strays ??= straysByName(properties, value);
    outcome.findings.push(missingField(walk, location, properties, strays, name));
  }
};

function missingField(
  walk: Walk,
  location: Location,
  properties: Fields,
  strays: ReadonlyMap<string, string>,
  name: string,
): Finding {
  const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const stray = strays.get(name);
  return {
    code: "VAL-001",
    path: [...location.path, name],
    // Nothing of it was judged yet, so all that it must be is told.
    expected: describe(walk.index, declared ?? true, location.base, { withPattern: "alone" }),
    ...(stray === undefined ? {} : { misnamedAs: stray }),
  };
}

/** The undeclared fields that were surely meant to be declared ones, by the declared one's name. */
function straysByName(properties: Fields, value: Fields): ReadonlyMap<string, string> {
  const declared = Object.keys(properties);
  const strays = new Map<string, string>();
  const contested = new Set<string>();
  const undeclared = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  for (const key of undeclared.slice(0, MAX_STRAYS)) {
    const near = nearest(key, declared);
    if (near === undefined) continue;
    // Two keys that may be the same field: nothing is certain.
    if (strays.has(near)) contested.add(near);
    strays.set(near, key);
  }
  for (const name of contested) strays.delete(name);
  return strays;
}

const checkFields: Part = (walk, location, schema, outcome, value) => {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const patterns = isRecord(schema["patternProperties"])
    ? Object.entries(schema["patternProperties"])
    : [];
  const { additionalProperties } = schema;
  const required = new Set(textsOf(schema["required"]));
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
      const unknown = unknownField(location, Object.keys(properties), value, name, patterns);
      findings.push(unknown);
      const { renameTo } = unknown;
      if (renameTo !== undefined) {
        // Under its right name the value must fit too.
        const meant = inside(location, properties[renameTo], renameTo, value[name], false);
        const assumed = meant.path.length;
        findings.push(...walk.enter(meant).findings.map((found) => ({ ...found, assumed })));
      }
    } else if (additionalProperties !== undefined) schemas.push(additionalProperties);
    const optional = !required.has(name);
    for (const inner of schemas)
      findings.push(...walk.enter(inside(location, inner, name, value[name], optional)).findings);
  }
};

/** The finding for a field that nothing declares, with the name that it was probably meant to have. */
export function unknownField(
  location: Location,
  declared: readonly string[],
  value: Fields,
  name: string,
  patterns: readonly (readonly [string, unknown])[] = [],
): Finding {
  const near = nearest(name, declared);
  const free = near !== undefined && !hasField(value, near);
  return {
    code: "VAL-005",
    path: [...location.path, name],
    expected: allowedNames(declared, patterns),
    ...(free ? { hint: `rename it to ${JSON.stringify(near)}`, renameTo: near } : {}),
  };
}

function allowedNames(
  declared: readonly string[],
  patterns: readonly (readonly [string, unknown])[],
): string {
  const shapes =
    patterns.length > 0 ? `names matching ${listNames(patterns.map(([source]) => source))}` : "";
  const names = [listNames(declared), shapes].filter((part) => part !== "").join(" and ");
  return names === "" ? "no fields" : `only ${names}`;
}

const checkNames: Part = (walk, location, schema, outcome, value) => {
  const { propertyNames } = schema;
  if (propertyNames === undefined || walk.index.dialect === "draft-04") return;
  for (const name of Object.keys(value).slice(0, walk.maxEntries)) {
    const place = inside(location, propertyNames, name, name, true);
    if (passes(walk.visit(place))) continue;
    const rule = describe(walk.index, propertyNames, location.base, { withPattern: true });
    outcome.findings.push({ code: "VAL-003", path: place.path, expected: `field names: ${rule}` });
  }
};

const checkSize: Part = (_walk, location, schema, outcome, value) => {
  const { minProperties, maxProperties } = schema;
  const size = Object.keys(value).length;
  const min = typeof minProperties === "number" && size < minProperties ? minProperties : undefined;
  const max = typeof maxProperties === "number" && size > maxProperties ? maxProperties : undefined;
  if (min === undefined && max === undefined) return;
  const limit =
    min === undefined ? `at most ${plural(max ?? 0, "field")}` : `at least ${plural(min, "field")}`;
  outcome.findings.push({
    code: "VAL-003",
    path: location.path,
    expected: `object, ${limit}`,
    actual: { value },
  });
};
