import {
  type Expectation,
  type Finding,
  type PathSegment,
  type SchemaObject,
  comparePaths,
  hasField,
  isRecord,
  jsonTypeOf,
  stringsOf,
} from "../../shared/index.ts";
import { acceptsNothing, nearest, resembles, standsFor } from "../hints/index.ts";
import { type Wrapper, findWrapper, wrappedFaults, wrapperFault } from "./wrapper.ts";
import { pathOfPlace } from "./place.ts";
import { type Fields, type SchemaLocation, type Visit, type Walk, inside } from "./walk.ts";

// A model misspells a few keys; an object with more unknown ones than this holds something else.
const MAX_STRAYS = 20;
/** Each hint compares a name with all declared ones; beyond this many comparisons in one object, fields are only named. */
const MAX_COMPARED = 25_000;
/** A visit of an object. */
export interface ObjectVisit extends Visit {
  readonly value: Fields;
  readonly strays: StrayFields;
}

/** Which of an object's undeclared fields were surely meant to be declared ones. */
export interface StrayFields {
  /** Returns the declared field that an undeclared one was meant to be. */
  readonly meantBy: (stray: string) => string | undefined;
  /** Returns the undeclared field under which a declared one was sent; undefined if several may be it. */
  readonly sentFor: (declared: string) => string | undefined;
  /** Returns the undeclared field that holds what belongs beside it; undefined if there is not exactly one. */
  readonly wrapper: () => Wrapper | undefined;
}

/** No undeclared field was meant to be another. */
export const NO_STRAYS: StrayFields = {
  meantBy: () => undefined,
  sentFor: () => undefined,
  wrapper: () => undefined,
};

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
  /** Whether the search for the intended field is skipped. */
  readonly isOnlyNamed?: boolean;
}

/** A declared field that was not sent, or is an object without the unknown field. */
interface FreeField {
  readonly name: string;
  readonly schema: SchemaObject;
}

/** The patterns of `patternProperties` with their schemas. */
type Patterns = readonly (readonly [string, unknown])[];

/** Reports an undeclared field and, if it was meant to be a declared one, the faults of its value there. */
export function strayField(
  { walk, location, schema, outcome, value, strays }: ObjectVisit,
  name: string,
  patterns: Patterns,
): readonly Finding[] {
  const path = pathOfPlace(location);
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const wrapper = strays.wrapper();
  const isReported = outcome.findings.some(({ nestedUnder }) => nestedUnder !== undefined);
  if (wrapper?.name === name)
    return [
      wrapperFault(path, wrapper),
      ...(isReported ? [] : wrappedFaults(walk, location, wrapper)),
    ];
  const declared = Object.keys(properties);
  if (declared.length * outcome.findings.length > MAX_COMPARED) {
    const named = { name, meant: undefined, value, declared, patterns, missing: [] };
    return [unknownField(path, { ...named, isOnlyNamed: true })];
  }
  const missing = missingFields(outcome.findings, path);
  const free = (): readonly FreeField[] => freeFields(walk, location, value, name);
  const meant = strays.meantBy(name);
  const unknown = { name, meant, value, declared, patterns, missing, free };
  const finding = unknownField(path, unknown);
  const { renameTo } = finding;
  if (renameTo === undefined) return [finding];
  const renamed = inside(location, properties[renameTo], renameTo, value[name], false);
  const { findings } = walk.enter(renamed);
  if (!fitsAs(pathOfPlace(renamed), value[name], findings))
    return [unknownField(path, { ...unknown, meant: undefined })];
  const assumed = renamed.place.level;
  return [finding, ...findings.map((found) => ({ ...found, assumed }))];
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
      patterns: patterns.map(([source]) => source),
      ...(isFree && { brief: true }),
    },
    ...(isFree ? { hint: { kind: "rename-to", name: meant }, renameTo: meant } : {}),
    ...(!isFree && unknown.isOnlyNamed !== true && hintForStray(unknown)),
  };
}

function hintForStray(unknown: UnknownField): Pick<Finding, "hint"> {
  const { name, free } = unknown;
  const fields = free?.() ?? [];
  const homes = fields.filter(({ schema }) => declaresField(schema, name));
  const [home] = homes;
  if (home && homes.length === 1 && declaresOwn(home.schema, name))
    return { hint: { kind: "move-into", name: home.name } };
  return homes.length === 0 && isInvented(unknown, fields) ? { hint: { kind: "leave-out" } } : {};
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
function isInvented(unknown: UnknownField, free: readonly FreeField[]): boolean {
  const { name, value, declared, patterns = [], missing } = unknown;
  const sent = value[name];
  const absent = declared.filter((other) => !hasField(value, other));
  return (
    patterns.length === 0 &&
    !resembles(name, absent) &&
    !(isRecord(sent) && absent.some((other) => hasField(sent, other))) &&
    !(typeof sent === "string" && free.some(({ schema }) => lists(schema, sent))) &&
    !missing.some((expected) => mayTake(expected, sent))
  );
}

/** Whether a schema lists a value, so that a field of another name may be meant to hold it. */
function lists({ enum: values }: SchemaObject, value: string): boolean {
  return Array.isArray(values) && values.includes(value);
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

/** Finds an object's stray fields on first use, because most objects have none. */
export function strayFields(
  walk: Walk,
  schema: SchemaObject,
  { value, ownName }: { readonly value: Fields; readonly ownName: PathSegment | undefined },
): StrayFields {
  let found: Strays | undefined;
  let wrapper: { readonly found: Wrapper | undefined } | undefined;
  const strays = (): Strays => (found ??= findStrays(walk, schema, value));
  return {
    meantBy: (stray) => strays().meant.get(stray),
    sentFor: (declared) => strays().sent.get(declared),
    wrapper: () => (wrapper ??= { found: findWrapper(walk, schema, { value, ownName }) }).found,
  };
}

interface Strays {
  readonly meant: ReadonlyMap<string, string>;
  readonly sent: ReadonlyMap<string, string>;
}

function findStrays(walk: Walk, schema: SchemaObject, value: Fields): Strays {
  const declared = isRecord(schema["properties"]) ? schema["properties"] : {};
  const names = Object.keys(declared).filter((name) => !acceptsNothing(declared[name]));
  const meant = new Map<string, string>();
  const sent = new Map<string, string>();
  const contested = new Set<string>();
  const undeclared = firstFitting(
    walk.namesOf(value),
    MAX_STRAYS,
    (key) => !Object.hasOwn(declared, key),
  ).filter((key) => !holdsFields(value[key], declared, value));
  for (const key of undeclared) {
    const name = nearest(key, names);
    if (name === undefined) continue;
    meant.set(key, name);
    // Two keys may be the same field: neither is certain.
    if (sent.has(name)) contested.add(name);
    sent.set(name, key);
  }
  for (const name of contested) sent.delete(name);
  const missing = stringsOf(schema["required"]).filter(
    (name) => !hasField(value, name) && !sent.has(name) && !contested.has(name),
  );
  const others = undeclared.filter((key) => !meant.has(key));
  for (const [key, name] of solePairs(others, missing)) {
    meant.set(key, name);
    sent.set(name, key);
  }
  return { meant, sent };
}

/** The first names that fit; those after them are not looked at. */
function firstFitting(
  names: readonly string[],
  most: number,
  fits: (name: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  for (const name of names) {
    if (found.length === most) break;
    if (fits(name)) found.push(name);
  }
  return found;
}

/** Pairs each key with the missing field that it alone stands for, if it stands for no other. */
function solePairs(
  keys: readonly string[],
  missing: readonly string[],
): readonly (readonly [key: string, name: string])[] {
  const pairs = keys.flatMap((key) =>
    missing.filter((name) => standsFor(key, name)).map((name) => [key, name] as const),
  );
  const isSole = (value: string, at: 0 | 1): boolean =>
    pairs.filter((pair) => pair[at] === value).length === 1;
  return pairs.filter(([key, name]) => isSole(key, 0) && isSole(name, 1));
}

/** Whether a value holds fields that belong beside it, so that its own name means nothing. */
function holdsFields(value: unknown, properties: SchemaObject, beside: Fields): boolean {
  if (!isRecord(value)) return false;
  return Object.keys(properties).some((name) => !hasField(beside, name) && hasField(value, name));
}

/** Whether a value may be meant for a place: it has the right type, or a hint says how to repair it. */
export function fitsAs(
  path: readonly PathSegment[],
  value: unknown,
  findings: readonly Finding[],
): boolean {
  if (value === null) return true;
  const isContainer = typeof value === "object";
  return !findings.some(
    ({ code, hint, expected, path: at }) =>
      code === "VAL-002" &&
      comparePaths(at, path) === 0 &&
      hint === undefined &&
      (isContainer || expected === undefined || !acceptsScalars(expected)),
  );
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

/** Whether an expectation accepts a string, a number or a boolean. */
function acceptsScalars(expected: Expectation): boolean {
  switch (expected.kind) {
    case "string":
    case "number":
      return true;
    case "type":
      return expected.type === "boolean";
    case "values":
      return expected.values.some((value) => value !== null && typeof value !== "object");
    case "either":
    case "branches":
    case "all":
      return expected.of.some(acceptsScalars);
    default:
      return false;
  }
}
