import { parseNestedJson } from "../arguments/unwrap-strings.ts";
import type { PathSegment } from "../fault.ts";
import { hasField, isRecord } from "./json-type.ts";
import { listNames } from "./list-words.ts";
import type { SchemaRecord } from "./walk.ts";

// An object with more undeclared fields than this is no wrapper with a few fields beside it.
const MAX_HOLDERS = 20;
/** What models call the whole of their arguments. */
const WRAPPERS =
  /^(?:args?|arguments|params|parameters|inputs?|request|data|body|payload|kwargs|value|(?:tool|function)_?(?:input|args|call))$/i;

/** An undeclared field that holds what should stand beside it (`{"arguments": {…}}`). */
export interface Holder {
  readonly name: string;
  readonly fields: SchemaRecord;
}

/** The undeclared field in which missing ones were sent; undefined where there is none or more than one. */
export function holderOf(
  properties: SchemaRecord,
  missing: readonly string[],
  value: SchemaRecord,
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
export function wrappedFields(
  properties: SchemaRecord,
  name: string,
  beside: SchemaRecord,
  ownName: PathSegment | undefined,
): readonly string[] {
  const names = Object.keys(fieldsIn(beside[name]) ?? {});
  const isWrapper = name === ownName || WRAPPERS.test(name);
  const belongs = (inner: string): boolean =>
    Object.hasOwn(properties, inner) && !hasField(beside, inner);
  return isWrapper && names.every(belongs) ? names : [];
}

/** Tells whether a value holds fields that should stand beside it, so that its own name says nothing. */
export function holdsFields(
  value: unknown,
  properties: SchemaRecord,
  beside: SchemaRecord,
): boolean {
  const absent = Object.keys(properties).filter((name) => !hasField(beside, name));
  return isRecord(value) && absent.some((name) => hasField(value, name));
}

/** Nothing but fields that belong beside it, all missing ones among them; a single one only under a name that says nothing. */
function holdsAll(
  { name, fields }: Holder,
  properties: SchemaRecord,
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

/** How to mend fields that were sent one level too deep. */
export function liftingHint(names: readonly string[]): string {
  return `send its fields (${listNames(names)}) one level up`;
}

function fieldsIn(value: unknown): SchemaRecord | undefined {
  const found = typeof value === "string" ? parseNestedJson(value) : value;
  return isRecord(found) ? found : undefined;
}
