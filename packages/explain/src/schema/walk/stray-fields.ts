import {
  type Expectation,
  type Finding,
  type PathSegment,
  type SchemaObject,
  comparePaths,
  hasField,
  isRecord,
  stringsOf,
} from "../../shared/index.ts";
import {
  acceptsNothing,
  allowedValues,
  nearest,
  restrains,
  standsFor,
  stemOf,
  wordsOf,
} from "../hints/index.ts";
import { pathOfPlace } from "./place.ts";
import {
  type FreeField,
  type Patterns,
  freeFields,
  missingFields,
  unknownField,
} from "./unknown-field.ts";
import { type Fields, type Visit, type Walk, inside } from "./walk.ts";
import { type Wrapper, findWrapper, wrappedFaults, wrapperFault } from "./wrapper.ts";

// A model misspells a few keys; an object with more unknown ones than this holds something else.
const MAX_STRAYS = 20;
/** More fields are not compared with what is missing. */
const MAX_PAIRED = 20;
/** Shorter names are those of many fields: `id`, `to`. */
const LEAST_NAME = 4;
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
  const isBesideArguments = wrapper !== undefined;
  const about = { name, meant, value, declared, patterns, missing };
  const unknown = { ...about, free, whole: schema, isBesideArguments };
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
  const pair = ([key, name]: readonly [string, string]): void => {
    meant.set(key, name);
    sent.set(name, key);
  };
  for (const found of solePairs(others, missing, standsFor)) pair(found);
  const left = others.filter((key) => !meant.has(key)).slice(0, MAX_PAIRED);
  const wanted = missing.filter((name) => !sent.has(name)).slice(0, MAX_PAIRED);
  const isProven: StandsFor = (key, name) =>
    isProvenFor(walk, declared[name], name, key, value[key]);
  for (const found of solePairs(left, wanted, isProven)) pair(found);
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

type StandsFor = (key: string, name: string) => boolean;

/**
 * Whether what was sent proves that a key was meant for a missing field of another name: it is a word for the same, and its
 * value is listed, the field's description is the key itself, or the name lacks a word and the value has the field's form.
 */
function isProvenFor(
  walk: Walk,
  schema: unknown,
  name: string,
  key: string,
  value: unknown,
): boolean {
  if (!isRecord(schema) || restrains(key) || restrains(name)) return false;
  const allowed = allowedValues(schema);
  if (allowed !== undefined)
    return allowed.length > 1 && allowed.includes(value) && namesSameKind(key, name);
  const { description, pattern } = schema;
  const stems = (text: string): string => wordsOf(text).map(stemOf).join(" ");
  const isDescribed = typeof description === "string" && stems(description) === stems(key);
  if (isDescribed && key.length >= LEAST_NAME) return true;
  return (
    typeof pattern === "string" &&
    typeof value === "string" &&
    stems(name).startsWith(`${stems(key)} `) &&
    walk.matchesPattern(pattern, value)
  );
}

/** Words that name what is done, which stand for each other; `from` and `to` do not, whatever they list. */
const KINDS = new Set("action operation op mode type kind command method verb".split(" "));

function namesSameKind(key: string, name: string): boolean {
  const [words, wanted] = [wordsOf(key), wordsOf(name)];
  return [...words, ...wanted].every(
    (word) => KINDS.has(word) || (words.includes(word) && wanted.includes(word)),
  );
}

/** Pairs each key with the missing field that it alone stands for, if it stands for no other. */
function solePairs(
  keys: readonly string[],
  missing: readonly string[],
  isMeant: StandsFor,
): readonly (readonly [key: string, name: string])[] {
  const pairs = keys.flatMap((key) =>
    missing.filter((name) => isMeant(key, name)).map((name) => [key, name] as const),
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
