import { createContract } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { parseOr } from "./parse-or.ts";
import type { Expectation } from "./read-expectation.ts";

/** Converts the sent value to what is expected, or makes one up if it cannot be converted. */
export function convertValue(value: unknown, expected: Expectation): unknown {
  if (expected.values.length > 0) return nearestValue(value, expected.values);
  for (const type of expected.types) {
    const converted = CONVERT[type]?.(value, expected);
    if (converted !== undefined) return converted;
  }
  if (expected.types.length > 0) return makeValue(expected);
  if (isRecord(value) && expected.keys.length > 0)
    return { ...(makeValue({ ...expected, types: ["object"] }) as object), ...value };
  if (typeof value === "string") return makeText(value, expected);
  if (typeof value === "number") return clampNumber(value, expected);
  return Array.isArray(value) ? fitCount(value, expected) : value;
}

const CONVERT: Readonly<Record<string, (value: unknown, expected: Expectation) => unknown>> = {
  integer: (value, expected) => {
    const number = numberOf(value);
    return number === undefined ? undefined : Math.round(clampNumber(Math.trunc(number), expected));
  },
  number: (value, expected) => {
    const number = numberOf(value);
    return number === undefined ? undefined : clampNumber(number, expected);
  },
  boolean: (value) => {
    if (typeof value === "boolean") return value;
    const text = textOf(value).toLowerCase();
    if (["true", "yes", "1", "on"].includes(text)) return true;
    return ["false", "no", "0", "off"].includes(text) ? false : undefined;
  },
  string: (value, expected) => {
    if (typeof value === "string") return makeText(value, expected);
    if (typeof value === "number" || typeof value === "boolean")
      return makeText(String(value), expected);
    const inner = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined;
    return typeof inner === "string" ? inner : undefined;
  },
  array: (value, expected) => {
    if (Array.isArray(value)) return fitCount(value, expected);
    const parsed = parsedAs(value, Array.isArray);
    if (parsed !== undefined) return parsed;
    const { items } = expected;
    const isNothing = value === null || (isRecord(value) && Object.keys(value).length === 0);
    if (items === undefined || isNothing) return undefined;
    const [type] = items.types;
    const isOther = type === "boolean" || (type === "string" && typeof value !== "string");
    return isOther ? undefined : [value];
  },
  object: (value, expected) => {
    const { keys } = expected;
    if (isRecord(value)) {
      // No variant was meant, so the first is as good as another.
      const isNone = keys.length > 0 && !keys.some((key) => key in value);
      return isNone ? { ...(makeValue(expected) as object), ...value } : value;
    }
    if (Array.isArray(value) && value.length === 1 && isRecord(value[0])) return value[0];
    return parsedAs(value, isRecord);
  },
};

/** The most characters or items that are made up, whatever a message asks for. */
const MOST = 10_000;

function fitCount(list: readonly unknown[], { shortest = 0, longest }: Expectation): unknown {
  const filled = [...list];
  while (filled.length < Math.min(shortest, MOST)) filled.push(list[0] ?? "example text");
  return filled.slice(0, longest);
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (Array.isArray(value) && value.length === 1) return numberOf(value[0]);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function parsedAs(value: unknown, fits: (parsed: unknown) => boolean): unknown {
  const parsed = typeof value === "string" ? parseOr(value, undefined) : undefined;
  return fits(parsed) ? parsed : undefined;
}

function nearestValue(value: unknown, values: readonly unknown[]): unknown {
  const plain = plainName(textOf(value));
  return values.find((candidate) => plainName(textOf(candidate)) === plain) ?? values[0];
}

/** A value as a string; empty for objects and arrays, which may not convert. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? "" : String(value);
}

/** A name without case, separators and a plural's end. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]|s$/g, "");
}

const TEXT = "example text";
const SAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  time: "09:30:00Z",
  email: "ana@example.com",
  uri: "https://example.com/page",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};
/** Strings to try on a pattern; a model would write one that matches. */
const CANDIDATES = [
  ..."abc ABC Abc a1 A1 12345 1 abc-1 2026-01-31 09:30 +15551234567".split(" "),
  ...Object.values(SAMPLES),
];

/** Makes a value that meets the expectation; a plain string if there is none. */
export function makeValue(expected: Expectation, depth = 0): unknown {
  if (expected.usual !== undefined) return expected.usual;
  if (expected.values.length > 0) return expected.values[0];
  switch (expected.types[0]) {
    case "integer":
    case "number":
      return clampNumber(1, expected);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const { items } = expected;
      const inner = items === undefined || depth > 3 ? TEXT : makeValue(items, depth + 1);
      return Array.from({ length: Math.min(expected.shortest ?? 0, MOST) }, () => inner);
    }
    case "object":
      return Object.fromEntries(expected.keys.map((key) => [key, TEXT]));
    default:
      return makeText(TEXT, expected);
  }
}

/** A string of the expected shape, close to the given one. */
function makeText(text: string, expected: Expectation): string {
  const { pattern, format, example, shortest, longest } = expected;
  if (pattern !== undefined) return fitPattern(text, pattern);
  if (example !== undefined) return example;
  if (format !== undefined) return SAMPLES[format] ?? text;
  return text.padEnd(Math.min(shortest ?? 0, MOST), ".").slice(0, longest);
}

function clampNumber(value: number, { minimum, maximum, types }: Expectation): number {
  const low = minimum ?? Number.NEGATIVE_INFINITY;
  const high = maximum ?? Number.POSITIVE_INFINITY;
  const inside = Math.max(low, Math.min(high, value));
  return types.includes("integer") ? Math.round(inside) : inside;
}

function fitPattern(text: string, source: string): string {
  const spellings = [text.toLowerCase().replaceAll(/\W+/g, "_"), text.toUpperCase(), text.trim()];
  return [...spellings, ...CANDIDATES].find(matching(source)) ?? text;
}

const contract = createContract({ interpreter: true, logger: false });

/** Whether strings match a pattern; a contract bounds what a pattern may cost. */
function matching(pattern: string): (text: string) => boolean {
  const tool = { name: "text", inputSchema: { properties: { text: { pattern } } } };
  return (text) => contract.check(tool, { text }).status === "valid";
}
