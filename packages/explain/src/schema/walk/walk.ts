import type { Finding, Identify, PathSegment, SchemaObject, Severity } from "../../shared/index.ts";
import type { SchemaIndex } from "../document/index.ts";
import { type ValuePlace, placeInside, placeWith } from "./place.ts";

// Only an object has fields and only an array has items, so all others share these empty sets.
const NOTHING: Pick<Evaluated, "fields" | "items" | "declared"> = {
  fields: new Set(),
  items: new Set(),
  declared: new Set(),
};

/** The bounds and services of one walk over a schema and a value. */
export interface Walk {
  readonly index: SchemaIndex;
  /** Whether only the verdict is asked for: faults are then found, and not explained. */
  readonly judges: boolean;
  /** Whether anything depends on which fields and items have been evaluated. */
  readonly tracks: boolean;
  /** Whether the walk keeps what it finds at each place, because the schema leads there again and again. */
  readonly remembers: boolean;
  /** The walk stops at this number of findings. */
  readonly maxFindings: number;
  /** How many entries of an array or object are checked. */
  readonly maxEntries: number;
  readonly closedObjects: ClosedObjects;
  /** The names of an object's fields. Naming many takes long, so those of the last object are kept. */
  namesOf(value: Fields): readonly string[];
  /** Tells arrays and objects of the value apart. */
  readonly identify: Identify;
  matchesPattern(source: string, text: string): boolean;
  matchesFormat(name: string, value: unknown): boolean;
  /** Checks the same value against another schema (`allOf`, `$ref`, …). */
  visit(location: SchemaLocation): WalkOutcome;
  /** Checks a value further in (`properties`, `items`, …). */
  enter(location: SchemaLocation): WalkOutcome;
}

/** How unknown fields of open objects are treated: as the schema says, or as faults of this severity. */
type ClosedObjects = "schema" | Severity;

/** A schema, and the value to check against it. */
export interface SchemaLocation {
  readonly schema: unknown;
  readonly base: string;
  /** The resources entered on the way, outermost first, for `$dynamicRef`. */
  readonly scope: readonly string[];
  readonly place: ValuePlace;
  readonly value: unknown;
  /** True if the value may be left out. */
  readonly optional: boolean;
  readonly depth: number;
}

/** The fields of an object that was sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** What checking one value against one schema found. */
export interface WalkOutcome {
  readonly findings: Finding[];
  readonly evaluated: Evaluated;
}

/** One value being checked against one schema; each check adds what it finds to the outcome. */
export interface Visit {
  readonly walk: Walk;
  readonly location: SchemaLocation;
  readonly schema: SchemaObject;
  readonly outcome: WalkOutcome;
}

/** Which fields and items of a value have been evaluated, for `unevaluated*`. */
export interface Evaluated {
  readonly fields: Set<string>;
  readonly items: Set<number>;
  /** The fields that `properties` names for this value, sent or not. */
  readonly declared: Set<string>;
  /** The fields that other keywords name, such as `dependentRequired`; undefined if none does. */
  mentioned: Set<string> | undefined;
  allFields: boolean;
  /** Every item with an index below this one. */
  itemsBelow: number;
}

/** Creates {@link Walk.namesOf}. */
export function createNames(): Walk["namesOf"] {
  let last: { readonly value: Fields; readonly names: readonly string[] } | undefined;
  return (value) => {
    if (last?.value !== value) last = { value, names: Object.keys(value) };
    return last.names;
  };
}

/** Whether an outcome accepts the value. */
export function passes(outcome: WalkOutcome): boolean {
  return outcome.findings.every((finding) => finding.closing === true);
}

/** Returns the location of the same value under another schema. */
export function under(location: SchemaLocation, schema: unknown): SchemaLocation {
  return { ...location, schema, depth: location.depth + 1 };
}

/** Returns the location of a field or item of the value. */
export function inside(
  location: SchemaLocation,
  schema: unknown,
  segment: PathSegment,
  value: unknown,
  optional: boolean,
): SchemaLocation {
  const { base, scope, depth } = location;
  const place = placeInside(location.place, segment, value);
  return { schema, base, scope, place, value, optional, depth: depth + 1 };
}

/** Returns the location with another value in the place of what was sent. */
export function holding(location: SchemaLocation, value: unknown): SchemaLocation {
  const place = placeWith(location.place, value);
  return { ...location, place, value, depth: location.depth + 1 };
}

const UNTRACKED: Evaluated = { ...NOTHING, mentioned: undefined, allFields: false, itemsBelow: 0 };

/** Returns the state before anything of a value is evaluated; all share one if nothing is tracked. */
export function nothingEvaluated(value: unknown, tracks: boolean): Evaluated {
  if (!tracks) return UNTRACKED;
  const isArray = Array.isArray(value);
  const isObject = !isArray && typeof value === "object" && value !== null;
  return {
    fields: isObject ? new Set() : NOTHING.fields,
    items: isArray ? new Set() : NOTHING.items,
    declared: isObject ? new Set() : NOTHING.declared,
    mentioned: undefined,
    allFields: false,
    itemsBelow: 0,
  };
}

/** Notes a field that a keyword names without declaring it. */
export function mention(evaluated: Evaluated, name: string): void {
  (evaluated.mentioned ??= new Set()).add(name);
}

/** Adds what another schema evaluated in the same value. */
export function addEvaluated(into: Evaluated, from: Evaluated): void {
  for (const field of from.fields) into.fields.add(field);
  for (const item of from.items) into.items.add(item);
  for (const name of from.declared) into.declared.add(name);
  for (const name of from.mentioned ?? []) mention(into, name);
  into.allFields ||= from.allFields;
  into.itemsBelow = Math.max(into.itemsBelow, from.itemsBelow);
}
