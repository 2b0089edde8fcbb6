import {
  type Expectation,
  type Finding,
  type PathSegment,
  comparePaths,
  hasField,
  isRecord,
  type SchemaObject,
} from "../../shared/index.ts";
import { nearest } from "../facts/index.ts";
import { type Location, type Walk, inside } from "./walk.ts";
import { parseNestedJson } from "../../arguments/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The patterns of `patternProperties` with their schemas. */
export type Patterns = readonly (readonly [string, unknown])[];

/** An undeclared field; where it was meant to be a declared one, what is wrong with it under its right name too. */
export function strayField(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  value: Fields,
  name: string,
  strays: StrayFields,
  patterns: Patterns,
): readonly Finding[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const declared = Object.keys(properties);
  const wrapped = wrappedFields(properties, name, value, location.path.at(-1));
  if (wrapped.length > 0) {
    return [
      { code: "VAL-005", path: [...location.path, name], hint: { kind: "lift", fields: wrapped } },
    ];
  }
  const near = strays.meantBy(name);
  const unknown = unknownField(location, declared, { name, near }, value, patterns);
  const { renameTo } = unknown;
  if (renameTo === undefined) return [unknown];
  const meant = inside(location, properties[renameTo], renameTo, value[name], false);
  const { findings } = walk.enter(meant);
  if (!fitsAs(meant, findings))
    return [unknownField(location, declared, { name, near: undefined }, value, patterns)];
  const assumed = meant.path.length;
  return [unknown, ...findings.map((found) => ({ ...found, assumed }))];
}

/** The finding for a field that nothing declares, with the name that it was probably meant to have. */
export function unknownField(
  location: Location,
  declared: readonly string[],
  { name, near }: { readonly name: string; readonly near: string | undefined },
  value: Fields,
  patterns: Patterns = [],
): Finding {
  const free = near !== undefined && !hasField(value, near);
  return {
    code: "VAL-005",
    path: [...location.path, name],
    expected: {
      kind: "fields",
      names: declared,
      patterns: patterns.map(([source]) => source),
      ...(free && { brief: true }),
    },
    ...(free ? { hint: { kind: "rename-to", name: near }, renameTo: near } : {}),
  };
}

// A model misspells a few keys; an object with more unknown ones than this holds something else.
const MAX_STRAYS = 20;

/** Which of an object's undeclared fields were surely meant to be declared ones. */
export interface StrayFields {
  /** The declared field that an undeclared one was meant to be. */
  readonly meantBy: (stray: string) => string | undefined;
  /** The undeclared field under which a declared one was sent, where only one may be it. */
  readonly sentFor: (declared: string) => string | undefined;
}

/** Looks at an object's fields when first asked, since most objects have no stray ones. */
export function strayFields(schema: SchemaObject, value: SchemaObject): StrayFields {
  let found: Strays | undefined;
  const strays = (): Strays => (found ??= findStrays(schema["properties"], value));
  return {
    meantBy: (stray) => strays().meant.get(stray),
    sentFor: (declared) => strays().sent.get(declared),
  };
}

interface Strays {
  readonly meant: ReadonlyMap<string, string>;
  readonly sent: ReadonlyMap<string, string>;
}

function findStrays(properties: unknown, value: SchemaObject): Strays {
  const declared = isRecord(properties) ? properties : {};
  const names = Object.keys(declared);
  const meant = new Map<string, string>();
  const sent = new Map<string, string>();
  const contested = new Set<string>();
  const undeclared = Object.keys(value).filter((key) => !Object.hasOwn(declared, key));
  for (const key of undeclared.slice(0, MAX_STRAYS)) {
    if (holdsFields(value[key], declared, value)) continue;
    const near = nearest(key, names);
    if (near === undefined) continue;
    meant.set(key, near);
    // Two keys that may be the same field: nothing is certain.
    if (sent.has(near)) contested.add(near);
    sent.set(near, key);
  }
  for (const name of contested) sent.delete(name);
  return { meant, sent };
}

// An object with more undeclared fields than this is no wrapper with a few fields beside it.
const MAX_HOLDERS = 20;
/** What models call the whole of their arguments. */
const WRAPPERS =
  /^(?:args?|arguments|params|parameters|inputs?|request|data|body|payload|kwargs|value|(?:tool|function)_?(?:input|args|call))$/i;

/** An undeclared field that holds what should stand beside it (`{"arguments": {…}}`). */
export interface Holder {
  readonly name: string;
  readonly fields: SchemaObject;
}

/** The undeclared field in which missing ones were sent; undefined where there is none or more than one. */
export function holderOf(
  properties: SchemaObject,
  missing: readonly string[],
  value: SchemaObject,
  ownName: PathSegment | undefined,
): Holder | undefined {
  const holders = Object.keys(value)
    .slice(0, MAX_HOLDERS)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({ name, fields: fieldsIn(value[name]) }))
    .filter((found): found is Holder => found.fields !== undefined)
    .filter((holder) => holdsAll(holder, properties, missing, ownName));
  return holders.length === 1 ? holders[0] : undefined;
}

/** What an undeclared field holds that is named as wrappers are, where all of it belongs beside it. */
function wrappedFields(
  properties: SchemaObject,
  name: string,
  beside: SchemaObject,
  ownName: PathSegment | undefined,
): readonly string[] {
  const names = Object.keys(fieldsIn(beside[name]) ?? {});
  const isWrapper = name === ownName || WRAPPERS.test(name);
  const belongs = (inner: string): boolean =>
    Object.hasOwn(properties, inner) && !hasField(beside, inner);
  return isWrapper && names.every(belongs) ? names : [];
}

/** Tells whether a value holds fields that should stand beside it, so that its own name says nothing. */
function holdsFields(value: unknown, properties: SchemaObject, beside: SchemaObject): boolean {
  const absent = Object.keys(properties).filter((name) => !hasField(beside, name));
  return isRecord(value) && absent.some((name) => hasField(value, name));
}

/** Nothing but fields that belong beside it, all missing ones among them; a single one only under a name that says nothing. */
function holdsAll(
  { name, fields }: Holder,
  properties: SchemaObject,
  missing: readonly string[],
  ownName: PathSegment | undefined,
): boolean {
  const names = Object.keys(fields);
  return (
    (names.length > 1 || name === ownName || WRAPPERS.test(name)) &&
    names.every((inner) => Object.hasOwn(properties, inner)) &&
    missing.every((inner) => hasField(fields, inner))
  );
}

function fieldsIn(value: unknown): SchemaObject | undefined {
  const found = typeof value === "string" ? parseNestedJson(value) : value;
  return isRecord(found) ? found : undefined;
}

/** Whether a value may be meant for a place: it is of the right kind, or near enough to say how to repair it. */
export function fitsAs(
  { path, value }: Pick<Location, "path" | "value">,
  findings: readonly Finding[],
): boolean {
  if (value === null) return true;
  const isContainer = typeof value === "object";
  return !findings.some(
    ({ code, hint, expected, path: at }) =>
      code === "VAL-002" &&
      comparePaths(at, path) === 0 &&
      hint === undefined &&
      (isContainer || expected === undefined || !takesScalars(expected)),
  );
}

/** Whether a string, a number or a boolean may stand somewhere. */
function takesScalars(expected: Expectation): boolean {
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
      return expected.of.some(takesScalars);
    default:
      return false;
  }
}
