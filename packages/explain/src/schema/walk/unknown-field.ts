import {
  type Expectation,
  type Finding,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonEqual,
  jsonTypeOf,
  matchesType,
  stringsOf,
  typesOf,
} from "../../shared/index.ts";
import {
  allowedValues,
  closestOf,
  hintForNeedless,
  isOfEnvelope,
  resembles,
  restrains,
} from "../hints/index.ts";
import type { Fields, SchemaLocation, Walk } from "./walk.ts";

/** How many items of a list are compared with a schema. */
const MAX_ITEMS = 20;

interface UnknownField {
  readonly name: string;
  /** The declared field that was probably meant. */
  readonly meant: string | undefined;
  /** The object that it was sent in. */
  readonly value: Fields;
  readonly declared: readonly string[];
  readonly patterns?: Patterns;
  /** What the fields that are missing beside it expect. */
  readonly missing: readonly Expectation[];
  /** The fields that may have been meant to hold it or its value. */
  readonly free?: () => readonly FreeField[];
  /** The schema of the object. */
  readonly whole?: SchemaObject;
  /** Whether it stands beside an object that holds the arguments. */
  readonly isBesideArguments?: boolean;
  /** Whether the search for the intended field is skipped. */
  readonly isOnlyNamed?: boolean;
}

/** A declared field that was not sent, or is an object without the unknown field. */
export interface FreeField {
  readonly name: string;
  readonly schema: SchemaObject;
}

/** The patterns of `patternProperties` with their schemas. */
export type Patterns = readonly (readonly [string, unknown])[];

/** Reports a field that nothing declares, with the name that was probably meant if that field is free. */
export function unknownField(path: readonly PathSegment[], unknown: UnknownField): Finding {
  const { name, meant, value, declared, patterns = [] } = unknown;
  const isFree = meant !== undefined && !hasField(value, meant);
  return {
    code: "VAL-005",
    path: [...path, name],
    expected: {
      kind: "fields",
      names: declared,
      ...(unknown.isOnlyNamed !== true && closestOf(name, declared)),
      patterns: patterns.map(([source]) => source),
      ...(isFree && { brief: true }),
    },
    ...(isFree ? { hint: { kind: "rename-to", name: meant }, renameTo: meant } : {}),
    ...(!isFree && unknown.isOnlyNamed !== true && hintForStray(unknown)),
  };
}

/**
 * Hints at what to do with a field that is not another one's misspelling. To leave it out is one only if that changes
 * nothing; else the model is told that there is no such option, unless a field beside it may be the one that it looks for.
 */
function hintForStray(unknown: UnknownField): Pick<Finding, "hint"> {
  const { name, meant, value, free } = unknown;
  const sent = value[name];
  if (meant !== undefined)
    return jsonEqual(sent, value[meant]) ? { hint: { kind: "leave-out" } } : {};
  if (Array.isArray(sent) && holdsWholes(unknown, sent)) return { hint: { kind: "lift-items" } };
  const fields = free?.() ?? [];
  const homes = fields.filter(({ schema }) => declaresField(schema, name));
  const [home] = homes;
  if (home && homes.length === 1) {
    const isOfItems = !declaresOwn(home.schema, name);
    return { hint: { kind: "move-into", name: home.name, ...(isOfItems && { isOfItems }) } };
  }
  if (homes.length > 0) return {};
  const unsent = fields.filter((field) => !hasField(value, field.name));
  const alike = restrains(name) ? [] : unsent.filter(({ schema }) => hasShapeOf(schema, sent));
  const [other] = alike;
  if (other && alike.length === 1) return { hint: { kind: "did-you-mean", name: other.name } };
  if (!isInvented(unknown)) return {};
  if (unknown.isBesideArguments === true && isOfEnvelope(name, sent))
    return { hint: { kind: "leave-out" } };
  const harmless = hintForNeedless(name, sent);
  if (harmless.hint !== undefined) return harmless;
  return mayBeMeant(unknown, unsent) ? {} : { hint: { kind: "no-option" } };
}

/** Whether each item of a list has the fields of the object that the list was sent in (`{"tasks": [{…}]}`). */
function holdsWholes({ whole, value }: UnknownField, items: readonly unknown[]): boolean {
  const isBare = stringsOf(whole?.["required"]).every((name) => !hasField(value, name));
  return whole !== undefined && isBare && hasShapeOf({ items: whole }, items);
}

/** Whether a field that was not sent may take the value, or is declared in a schema that was not looked into. */
function mayBeMeant(
  { name, value, declared }: UnknownField,
  unsent: readonly FreeField[],
): boolean {
  const known = new Set(unsent.map((field) => field.name));
  return (
    declared.some((other) => !hasField(value, other) && !known.has(other)) ||
    unsent.some(({ schema }) => mayHold(schema, value[name]))
  );
}

/** Whether an object, or the objects of an array, have a field of this name. */
function declaresField(schema: SchemaObject, name: string): boolean {
  const { items } = schema;
  return declaresOwn(schema, name) || (isRecord(items) && declaresOwn(items, name));
}

function declaresOwn({ properties }: SchemaObject, name: string): boolean {
  return isRecord(properties) && Object.hasOwn(properties, name);
}

/** Returns the schema that a field refers to, or its own. */
function referencedSchema(
  walk: Walk,
  { base }: SchemaLocation,
  schema: unknown,
): SchemaObject | undefined {
  const { $ref } = isRecord(schema) ? schema : {};
  const target = typeof $ref === "string" ? walk.index.resolve($ref, base)?.schema : schema;
  return isRecord(target) ? target : undefined;
}

/** True if an unknown field was not meant to be a declared one: no name is near, and it holds no missing field. */
function isInvented(unknown: UnknownField): boolean {
  const { name, value, declared, patterns = [], missing } = unknown;
  const sent = value[name];
  const absent = declared.filter((other) => !hasField(value, other));
  return (
    patterns.length === 0 &&
    !resembles(name, absent) &&
    !(isRecord(sent) && absent.some((other) => hasField(sent, other))) &&
    !missing.some((expected) => mayTake(expected, sent))
  );
}

/** Finds the declared fields that an undeclared one, or its value, may have been meant for. */
export function freeFields(
  walk: Walk,
  location: SchemaLocation,
  value: Fields,
  name: string,
): readonly FreeField[] {
  const { properties } = isRecord(location.schema) ? location.schema : {};
  if (!isRecord(properties)) return [];
  return Object.keys(properties).flatMap((other) => {
    const sent = value[other];
    const isFree = sent === undefined || (isRecord(sent) && !hasField(sent, name));
    const own = isFree ? referencedSchema(walk, location, properties[other]) : undefined;
    return own ? [{ name: other, schema: own }] : [];
  });
}

/** Whether a value may have been meant for a field: as it is, as an item of it, or as a part of it. */
function mayHold(schema: SchemaObject, value: unknown): boolean {
  const { items } = schema;
  const types = typesOf(schema);
  const allowed = allowedValues(schema);
  if (allowed !== undefined) return allowed.some((one) => jsonEqual(one, value));
  if (types.length === 0 || types.includes("object") || isRecord(value)) return true;
  const isItem = types.includes("array") && !Array.isArray(value);
  return (
    types.some((type) => matchesType(value, type)) ||
    (isItem && (!isRecord(items) || mayHold(items, value)))
  );
}

/** Whether an object, or the objects of a list, have several fields, and all of them are those that a schema declares. */
function hasShapeOf({ items, ...schema }: SchemaObject, value: unknown): boolean {
  if (!Array.isArray(value)) return isRecord(value) && isShapedAs(schema, value);
  if (value.length === 0 || !isRecord(items)) return false;
  return value.slice(0, MAX_ITEMS).every((item) => isRecord(item) && isShapedAs(items, item));
}

function isShapedAs(schema: SchemaObject, value: Fields): boolean {
  const names = Object.keys(value);
  return (
    names.length > 1 &&
    names.every((name) => declaresOwn(schema, name)) &&
    stringsOf(schema["required"]).every((name) => hasField(value, name))
  );
}

/** Returns what the fields that are missing from an object expect. */
export function missingFields(
  findings: readonly Finding[],
  path: readonly PathSegment[],
): readonly Expectation[] {
  return findings
    .filter(
      ({ code, path: at, misnamedAs, nestedUnder }) =>
        code === "VAL-001" &&
        at.length === path.length + 1 &&
        misnamedAs === undefined &&
        nestedUnder === undefined,
    )
    .map(({ expected = { kind: "anything" } }) => expected);
}

/** Whether a value has a type that an expectation names. */
function mayTake(expected: Expectation, value: unknown): boolean {
  const type = jsonTypeOf(value);
  switch (expected.kind) {
    case "string":
    case "number":
      return type === expected.kind;
    case "type":
      return type === expected.type;
    case "values":
      return expected.values.some((one) => jsonTypeOf(one) === type);
    case "array":
    case "tuple":
      return type === "array";
    case "object":
    case "map":
    case "tagged":
      return type === "object";
    case "either":
    case "branches":
    case "all":
      return expected.of.some((one) => mayTake(one, value));
    default:
      return true;
  }
}
