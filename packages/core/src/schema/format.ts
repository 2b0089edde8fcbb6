import addFormats from "ajv-formats";
import type { Format } from "ajv";

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

function formatOf(name: string): Format | undefined {
  try {
    return addFormats.default.get(name as Parameters<typeof addFormats.default.get>[0]);
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
