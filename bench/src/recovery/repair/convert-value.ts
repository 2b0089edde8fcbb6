import { type Expectation } from "../reading/expectation.ts";
import { clampNumber, makeText, makeValue } from "./make-value.ts";

/** Turns what was sent into what is expected, as a careful program would; a made-up value where nothing else fits. */
export function convertValue(value: unknown, expected: Expectation): unknown {
  if (expected.values.length > 0) return nearestValue(value, expected.values);
  for (const type of expected.types) {
    const converted = CONVERT[type]?.(value, expected);
    if (converted !== undefined) return converted;
  }
  if (expected.types.length > 0) return makeValue(expected);
  if (isObject(value) && expected.keys.length > 0)
    return { ...(makeValue({ ...expected, types: ["object"] }) as object), ...(value as object) };
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
    const text = String(value).toLowerCase();
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
    if (items === undefined || value === null || isEmptyObject(value)) return undefined;
    const isText = typeof value === "string" && /^(?:string|one of)/.test(items);
    return isText || !/^(?:string|boolean)/.test(items) ? [value] : undefined;
  },
  object: (value) => {
    if (isObject(value)) return value;
    if (Array.isArray(value) && value.length === 1 && isObject(value[0])) return value[0];
    return parsedAs(value, isObject);
  },
};

function fitCount(list: readonly unknown[], { shortest = 0, longest }: Expectation): unknown {
  const filled = [...list];
  while (filled.length < shortest) filled.push(list[0] ?? "example text");
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
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return fits(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function nearestValue(value: unknown, values: readonly unknown[]): unknown {
  const plain = (text: unknown): string =>
    String(text)
      .toLowerCase()
      .replaceAll(/[\s_-]|s$/g, "");
  return values.find((candidate) => plain(candidate) === plain(value)) ?? values[0];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value as object).length === 0;
}
