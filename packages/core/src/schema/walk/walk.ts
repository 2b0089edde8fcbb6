import type { Finding, PathSegment } from "../../shared/index.ts";
import type { SchemaIndex } from "../document/index.ts";

/** One schema held against one value. */
export interface Location {
  readonly schema: unknown;
  readonly base: string;
  /** The resources entered on the way, outermost first, for `$dynamicRef`. */
  readonly scope: readonly string[];
  readonly path: readonly PathSegment[];
  readonly value: unknown;
  /** True where the value may be left out. */
  readonly optional: boolean;
  readonly depth: number;
}

/** What holding one schema against one value brought up. */
export interface Outcome {
  readonly findings: Finding[];
  readonly evaluated: Evaluated;
}

/** How unknown fields of open objects are seen: as the schema does, or as faults of this severity. */
export type ClosedObjects = "schema" | "warning" | "error";

/** The bounds and services of one walk over a schema and a value. */
export interface Walk {
  readonly index: SchemaIndex;
  /** Stop looking for more findings at this number. */
  readonly maxFindings: number;
  /** Look at no more entries of any array or object than this. */
  readonly maxEntries: number;
  readonly closedObjects: ClosedObjects;
  matchesPattern(source: string, text: string): boolean;
  matchesFormat(name: string, value: unknown): boolean;
  /** Holds a schema against the same value (`allOf`, `$ref`, …). */
  visit(location: Location): Outcome;
  /** Holds a schema against a value further in (`properties`, `items`, …). */
  enter(location: Location): Outcome;
}

/** Tells whether an outcome lets the value pass. */
export function passes(outcome: Outcome): boolean {
  return outcome.findings.every((finding) => finding.closing === true);
}

/** The same place of the value, under another schema. */
export function under(location: Location, schema: unknown): Location {
  return { ...location, schema, depth: location.depth + 1 };
}

/** A place further in. */
export function inside(
  location: Location,
  schema: unknown,
  segment: PathSegment,
  value: unknown,
  optional: boolean,
): Location {
  const { base, scope, depth } = location;
  return {
    schema,
    base,
    scope,
    path: [...location.path, segment],
    value,
    optional,
    depth: depth + 1,
  };
}

/** Which fields and items of one value some schema has looked at, as `unevaluated*` asks. */
export interface Evaluated {
  readonly fields: Set<string>;
  readonly items: Set<number>;
  /** The fields that `properties` names for this value, whether they were sent or not. */
  readonly declared: Set<string>;
  allFields: boolean;
  /** Every item with an index below this one. */
  itemsBelow: number;
}

// Most values are neither object nor array, so there is nothing in them to look at.
const NOTHING: Omit<Evaluated, "allFields" | "itemsBelow"> = {
  fields: new Set(),
  items: new Set(),
  declared: new Set(),
};

/** Nothing of this value looked at yet. */
export function nothingEvaluated(value: unknown): Evaluated {
  const { fields, items, declared } =
    typeof value === "object" && value !== null
      ? { fields: new Set<string>(), items: new Set<number>(), declared: new Set<string>() }
      : NOTHING;
  return { fields, items, declared, allFields: false, itemsBelow: 0 };
}

/** Adds what another schema looked at in the same value. */
export function addEvaluated(into: Evaluated, from: Evaluated): void {
  for (const field of from.fields) into.fields.add(field);
  for (const item of from.items) into.items.add(item);
  for (const name of from.declared) into.declared.add(name);
  into.allFields ||= from.allFields;
  into.itemsBelow = Math.max(into.itemsBelow, from.itemsBelow);
}
