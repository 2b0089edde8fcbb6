import { parseNestedJson } from "../../arguments/index.ts";
import {
  type Finding,
  type Hint,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  stringsOf,
} from "../../shared/index.ts";
import { nearest, standsFor } from "../hints/index.ts";
import { type Fields, type SchemaLocation, type Walk, inside } from "./walk.ts";

// A model misspells a few keys; more unknown ones are something else.
const MAX_STRAYS = 20;
// An object with more undeclared fields than this is not a wrapper with a few fields beside it.
const MAX_WRAPPERS = 20;

/** Names under which models wrap all of their arguments. */
const WRAPPER_NAMES =
  /^(?:args?|arguments|params|parameters|inputs?|request|data|body|payload|kwargs|value|(?:tool|function)_?(?:input|args|call))$/i;

/** An undeclared object whose fields belong one level up (`{"arguments": {…}}`). */
export interface Wrapper {
  readonly name: string;
  readonly fields: Fields;
  /** The declared fields in it, under their own names or misspelt. */
  readonly holds: ReadonlySet<string>;
}

/** Finds the undeclared object whose fields belong one level up; undefined if there is not exactly one. */
export function findWrapper(
  walk: Walk,
  schema: SchemaObject,
  { value, ownName }: { readonly value: Fields; readonly ownName: PathSegment | undefined },
): Wrapper | undefined {
  const { additionalProperties: rest, required } = schema;
  // Fields of any name may be objects.
  if (isRecord(rest) && Object.keys(rest).length > 0) return undefined;
  const declared = isRecord(schema["properties"]) ? schema["properties"] : {};
  const missing = stringsOf(required).filter((name) => !hasField(value, name));
  const absent = Object.keys(declared).filter((name) => !hasField(value, name));
  const wrappers = walk
    .namesOf(value)
    .slice(0, MAX_WRAPPERS)
    .filter((name) => !Object.hasOwn(declared, name))
    .flatMap((name) => {
      const fields = fieldsIn(value[name]);
      if (fields === undefined) return [];
      const isWrapper = name === ownName || WRAPPER_NAMES.test(name);
      const holds = wrappedFields(Object.keys(fields), { absent, missing, isWrapper });
      const holdsEnough = isWrapper || missing.every((inner) => hasField(fields, inner));
      return holds !== undefined && holdsEnough ? [{ name, fields, holds }] : [];
    });
  return wrappers.length === 1 ? wrappers[0] : undefined;
}

/** The hint to send the fields of an object one level up; a blank name cannot be shown. */
function liftOf(name: string): Hint {
  return name.trim() === "" ? { kind: "lift" } : { kind: "lift", from: name, echoes: true };
}

/** Reports a wrapper, with the hint to send its fields beside it. */
export function wrapperFault(path: readonly PathSegment[], { name }: Wrapper): Finding {
  return { code: "VAL-005", path: [...path, name], hint: liftOf(name) };
}

/**
 * Finds the faults of fields sent one level too deep; those missing there too are reported one level up.
 *
 * A misspelt field is one of them even if the object is open: it could not be moved under its name.
 */
export function wrappedFaults(
  walk: Walk,
  location: SchemaLocation,
  { name, fields }: Wrapper,
): readonly Finding[] {
  const { schema } = location;
  const isOpen = isRecord(schema) && schema["additionalProperties"] !== false;
  const closed = isOpen ? { ...schema, additionalProperties: false } : schema;
  const nested = inside(location, closed, name, fields, false);
  const depth = nested.place.level + 1;
  return walk.visit(nested).findings.filter(({ code, path, renameTo }) => {
    if (path.length !== depth) return true;
    return code === "VAL-005" ? !isOpen || renameTo !== undefined : code !== "VAL-001";
  });
}

/**
 * Returns the declared fields among the names in an object; undefined if the object does not belong to them.
 *
 * Under a wrapper's name half of the names may be unknown or misspelt; under another one, several must be right.
 */
function wrappedFields(
  names: readonly string[],
  { absent, missing, isWrapper }: WrapperSurroundings,
): ReadonlySet<string> | undefined {
  const right = names.filter((name) => absent.includes(name));
  if (!isWrapper)
    return names.length > 1 && right.length === names.length ? new Set(right) : undefined;
  const strays = names.filter((name) => !right.includes(name)).slice(0, MAX_STRAYS);
  const misspelt = strays.flatMap((name) => {
    const near = nearest(name, absent);
    if (near !== undefined) return [near];
    const meant = missing.filter((other) => !right.includes(other) && standsFor(name, other));
    return meant.length === 1 ? meant : [];
  });
  const holds = new Set([...right, ...misspelt]);
  return holds.size > 0 && names.length <= 2 * holds.size ? holds : undefined;
}

/** What is declared beside an object that may be a wrapper, and was not sent there. */
interface WrapperSurroundings {
  readonly absent: readonly string[];
  /** The required ones of them. */
  readonly missing: readonly string[];
  /** True if the object has the name of a wrapper. */
  readonly isWrapper: boolean;
}

function fieldsIn(value: unknown): Fields | undefined {
  const found = typeof value === "string" ? parseNestedJson(value) : value;
  return isRecord(found) ? found : undefined;
}
