import type { Finding, PathSegment } from "../shared/index.ts";
import { findRoot } from "./find-root.ts";
import { type Repair, parseNative, repairText } from "./repair.ts";
import { scanJson } from "./scan-json.ts";

/** The longest string that is parsed, in UTF-16 units. */
const MAX_NESTED_LENGTH = 1_048_576;
/** The deepest nesting that is unwrapped. */
const MAX_NESTED_DEPTH = 100;

/** Arguments with stringified JSON parsed, and the repairs. */
export interface Unwrapped {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Replaces strings by the JSON they hold if the schema wants that; undefined if there are none. */
export function unwrapNested(root: unknown, findings: readonly Finding[]): Unwrapped | undefined {
  const wrapped = findings.filter((finding) => finding.nested !== undefined);
  if (wrapped.length === 0) return undefined;
  let value = root;
  const repairs: Repair[] = [];
  for (const { path, nested, actual } of wrapped) {
    value = replaceAt(value, path, nested?.value);
    const removed = typeof actual?.value === "string" ? actual.value.length : 0;
    repairs.push({ step: "unwrap", offset: 0, removed, inserted: 0 });
  }
  return { value, repairs };
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
  const value = root.status === "closed" ? repairText(text, root)?.value : undefined;
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Parses a string that holds the JSON of an object or array; undefined for any other string, or beyond the limits. */
export function parseNestedJson(text: string): object | undefined {
  if (text.length > MAX_NESTED_LENGTH || !/^\s*[{[]/.test(text)) return undefined;
  const value = parseNative(text)?.value;
  if (typeof value !== "object" || value === null) return undefined;
  return scanJson(text, text.search(/[{[]/)).depth > MAX_NESTED_DEPTH ? undefined : value;
}
