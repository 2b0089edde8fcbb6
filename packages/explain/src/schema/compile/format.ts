import { type DefinedFormats, fullFormats } from "ajv-formats/dist/formats.js";

/** The library's own `url` is in no specification and refuses `http://localhost:3000`. */
const LENIENT_FORMATS: Readonly<Record<string, FormatName>> = { url: "uri" };

type FormatName = keyof DefinedFormats;

type DefinedFormat = DefinedFormats[FormatName];

type FormatCheck = RegExp | string | ((value: never) => unknown);

/** The names of the formats that are checked. */
export const FORMAT_NAMES: readonly string[] = Object.keys(fullFormats);

/** Whether a value has a format; true for unknown formats and for values of another type than the format's. */
export function matchesFormat(name: string, value: unknown): boolean {
  const format = definedFormat(name);
  if (format === undefined || typeof format === "string" || format === true) return true;
  if (format instanceof RegExp || typeof format === "function") {
    return typeof value !== "string" || test(format, value);
  }
  if (format.type === "number") return typeof value !== "number" || test(format.validate, value);
  if (format.async === true) return true;
  return typeof value !== "string" || test(format.validate, value);
}

/** Returns the format of this name as ajv takes it; undefined if the library has none. */
export function formatOf(name: string): unknown {
  return definedFormat(name);
}

function definedFormat(name: string): DefinedFormat | undefined {
  const known = LENIENT_FORMATS[name] ?? name;
  return Object.hasOwn(fullFormats, known) ? fullFormats[known as FormatName] : undefined;
}

function test(check: FormatCheck, value: string | number): boolean {
  if (typeof check === "function") return check(value as never) === true;
  return (typeof check === "string" ? new RegExp(check) : check).test(String(value));
}
