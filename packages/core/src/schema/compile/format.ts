import { type Format, ajvFormats } from "./ajv.ts";

type FormatName = Parameters<typeof ajvFormats.default.get>[0];

/** Tells whether a value has a format; unknown formats and values that they are not about pass. */
export function matchesFormat(name: string, value: unknown): boolean {
  const format = formatOf(name);
  if (format === undefined || typeof format === "string" || format === true) return true;
  if (format instanceof RegExp || typeof format === "function") {
    return typeof value !== "string" || test(format, value);
  }
  if (format.type === "number") return typeof value !== "number" || test(format.validate, value);
  if (format.async === true) return true;
  return typeof value !== "string" || test(format.validate, value);
}

/** The library's own `url`, which no specification knows, refuses `http://localhost:3000`. */
export const LENIENT_FORMATS: Readonly<Record<string, FormatName>> = { url: "uri" };

/** The format of this name; undefined where the library has none. */
export function formatOf(name: string): Format | undefined {
  try {
    return ajvFormats.default.get(LENIENT_FORMATS[name] ?? (name as FormatName));
  } catch {
    // The library throws for the names that it does not know.
    return undefined;
  }
}

type Check = RegExp | string | ((value: never) => unknown);

function test(check: Check, value: string | number): boolean {
  if (typeof check === "function") return check(value as never) === true;
  return (typeof check === "string" ? new RegExp(check) : check).test(String(value));
}
