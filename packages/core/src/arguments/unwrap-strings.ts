import { type Repair, parseNative } from "./repair.ts";
import { scanJson } from "./scan-json.ts";
import type { Finding, PathSegment } from "../shared/index.ts";

/** The longest string that is looked into, in UTF-16 units. */
const MAX_NESTED_LENGTH = 1_048_576;
/** The deepest nesting that is unwrapped. */
const MAX_NESTED_DEPTH = 100;

/** Gives the object or array whose JSON text a string holds; undefined for any other string, or beyond the bounds. */
export function parseNestedJson(text: string): object | undefined {
  if (text.length > MAX_NESTED_LENGTH || !/^\s*[{[]/.test(text)) return undefined;
  const value = parseNative(text)?.value;
  if (typeof value !== "object" || value === null) return undefined;
  return scanJson(text, text.search(/[{[]/)).depth > MAX_NESTED_DEPTH ? undefined : value;
}

/** Arguments with stringified JSON taken apart, and what was done. */
export interface Unwrapped {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Replaces text by the JSON it holds, where the schema wanted that; undefined where there is none. */
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

/** A copy of the value with one place replaced; the value itself stays as it is. */
function replaceAt(value: unknown, path: readonly PathSegment[], replacement: unknown): unknown {
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
