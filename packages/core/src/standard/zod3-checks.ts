import type { JsonSchema } from "../shared/index.ts";
import { patternSource, textPattern, zodFormat } from "./vendors/index.ts";

type Check = Readonly<Record<string, unknown>>;

/** The rule of one check of a zod 3 number. */
export function numberRule(check: Check): JsonSchema | undefined {
  const { kind, value, inclusive } = check;
  switch (kind) {
    case "int":
      return { type: "integer" };
    case "min":
      return inclusive === false ? { exclusiveMinimum: value } : { minimum: value };
    case "max":
      return inclusive === false ? { exclusiveMaximum: value } : { maximum: value };
    case "multipleOf":
      return { multipleOf: value };
    default:
      return undefined;
  }
}

/** The rule of one check of a zod 3 string. */
export function textRule(check: Check): JsonSchema | undefined {
  const { kind, value, regex } = check;
  switch (kind) {
    case "min":
      return { minLength: value };
    case "max":
      return { maxLength: value };
    case "length":
      return { minLength: value, maxLength: value };
    case "regex":
      return { pattern: patternSource(regex) };
    case "startsWith":
      return typeof value === "string" ? { pattern: textPattern("start", value) } : undefined;
    case "endsWith":
      return typeof value === "string" ? { pattern: textPattern("end", value) } : undefined;
    case "includes":
      return typeof value === "string" ? { pattern: textPattern("anywhere", value) } : undefined;
    case "trim":
    case "toLowerCase":
    case "toUpperCase":
      return undefined;
    default:
      return typeof kind === "string" ? zodFormat(kind)?.schema : undefined;
  }
}
