import { type Finding, type PathSegment, startsWith } from "../shared/index.ts";
import { findRoot } from "./find-root.ts";
import { hasInexactNumbers, inexactNumbers } from "./inexact-numbers.ts";
import { type Repair, parseNative, repairText } from "./repair.ts";
import { scanJson } from "./scan-json.ts";
import { severalObjects } from "./several-objects.ts";

/** The longest string that is parsed, in UTF-16 units: a longer one may have so many names that everybody waits for it. */
const MAX_NESTED_LENGTH = 262_144;
/** The deepest nesting that is unwrapped. */
const MAX_NESTED_DEPTH = 100;

/** Arguments in which something was repaired, and the repairs. */
export interface Unwrapped {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** The faults that were repaired. */
  readonly repaired?: readonly Finding[];
}

/**
 * Replaces strings by the JSON they hold if the schema wants that and it is right there; undefined if there are none.
 *
 * With `scalars`, also strings that are exactly a JSON number or boolean, which some clients make of those that a model
 * sent. Whether one is right at its place is for the caller to find out.
 */
export function unwrapNested(
  root: unknown,
  findings: readonly Finding[],
  scalars = false,
): Unwrapped | undefined {
  const held = new Map(scalars ? findings.flatMap(quotedScalar) : []);
  const wrapped = findings
    .filter((finding) => held.has(finding) || isWrapped(finding, findings, held))
    // What is in a string is there only once that is replaced.
    .toSorted((a, b) => a.path.length - b.path.length);
  if (wrapped.length === 0) return undefined;
  let value = root;
  const repairs: Repair[] = [];
  for (const finding of wrapped) {
    const { path, nested, actual } = finding;
    value = replaceAt(value, path, held.has(finding) ? held.get(finding) : nested?.value);
    const removed = typeof actual?.value === "string" ? actual.value.length : 0;
    repairs.push({ step: "unwrap", offset: 0, removed, inserted: 0 });
  }
  return { value, repairs, repaired: wrapped };
}

/** Whether a string holds what belongs at its place: nothing in it is wrong but further strings of the kind. */
function isWrapped(
  finding: Finding,
  findings: readonly Finding[],
  held: ReadonlyMap<Finding, unknown>,
): boolean {
  const { nested, path, code, expected } = finding;
  if (nested === undefined || code !== "VAL-002" || admitsText(expected)) return false;
  return findings.every(
    (other) =>
      other.nested !== undefined ||
      held.has(other) ||
      other.path.length <= path.length ||
      !startsWith(other.path, path),
  );
}

const SCALAR = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** Longer numbers cannot be kept exactly. */
const MAX_SCALAR = 40;

/** A finding at a quoted number or boolean where the schema admits no string, with the value. */
function quotedScalar(finding: Finding): readonly (readonly [Finding, unknown])[] {
  const { code, actual, expected } = finding;
  const text = actual?.value;
  if (typeof text !== "string" || text.length > MAX_SCALAR || !SCALAR.test(text)) return [];
  if (code !== "VAL-002" && code !== "VAL-008") return [];
  if (expected === undefined || admitsText(expected) || hasInexactNumbers(text)) return [];
  return [[finding, JSON.parse(text)]];
}

/** Whether a string may be meant as itself. */
function admitsText(expected: Finding["expected"]): boolean {
  switch (expected?.kind) {
    case "anything":
    case "words":
    case "string":
    case "holding":
      return true;
    case "values":
      return expected.values.some((value) => typeof value === "string");
    case "either":
    case "branches":
    case "all":
      return expected.of.some(admitsText);
    default:
      return false;
  }
}

/** Strings that stand for no arguments, as JSON, JavaScript and Python write them. */
const NOTHING = /^\s*(?:null|undefined|None|\[\s*\])?\s*$/;

/** Reads null, an empty list or a string for either as arguments without any field; undefined for anything else. */
export function emptyArguments(value: unknown): Unwrapped | undefined {
  const isEmpty = Array.isArray(value) ? value.length === 0 : value === null;
  if (!isEmpty && !(typeof value === "string" && NOTHING.test(value))) return undefined;
  const removed = JSON.stringify(value).length;
  const fault: Finding = {
    code: "VAL-002",
    path: [],
    expected: { kind: "object", fields: [] },
    actual: { value },
  };
  const repairs: readonly Repair[] = [{ step: "empty", offset: 0, removed, inserted: 2 }];
  return { value: {}, repairs, repaired: [fault] };
}

/** Copies a value with one place replaced. */
export function replaceAt(
  value: unknown,
  path: readonly PathSegment[],
  replacement: unknown,
): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === Number(segment) ? replaceAt(item, rest, replacement) : item,
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === segment ? replaceAt(item, rest, replacement) : item,
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** The longest literal of another language that is read. */
const MAX_LITERAL_LENGTH = 8_192;

/** Parses a string that holds an object or array as Python or JavaScript writes it; undefined for any other string. */
export function parseNestedLiteral(text: string): object | undefined {
  if (text.length > MAX_LITERAL_LENGTH || !/^\s*[{[]/.test(text)) return undefined;
  const root = findRoot(text);
  const repaired = root.status === "closed" ? repairText(text, root) : undefined;
  const value = repaired?.value;
  if (typeof value !== "object" || value === null) return undefined;
  return inexactNumbers(repaired?.json ?? "", value).length > 0 ? undefined : value;
}

/** Parses a string that holds the JSON of an object or array; undefined for any other string, or beyond the limits. */
export function parseNestedJson(text: string): object | undefined {
  if (text.length > MAX_NESTED_LENGTH || !/^\s*[{[]/.test(text)) return undefined;
  const native = parseNative(text);
  const root = native ? undefined : severalObjects(text)?.root;
  const json = root ? text.slice(root.start, root.scan.end) : text;
  const value = (root ? parseNative(json) : native)?.value;
  if (typeof value !== "object" || value === null || inexactNumbers(json, value).length > 0)
    return undefined;
  return scanJson(json, json.search(/[{[]/)).depth > MAX_NESTED_DEPTH ? undefined : value;
}
