import { type SchemaObject, isRecord } from "../../shared/index.ts";
import {
  type BrokenRule,
  type IssueReader,
  type IssueReading,
  broken,
  patternRule,
  textPattern,
  WANTS_DATE,
  wrongType,
} from "./issue.ts";

type ZodIssue = Readonly<Record<string, unknown>>;

// Types whose name differs from the JSON type that they accept.
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ["int", "integer"],
  ["tuple", "array"],
  ["record", "object"],
]);

/** Reads an issue of zod 3 or zod 4; their structures differ mostly in names. */
export const readZodIssue: IssueReader = (issue, readInner) => {
  switch (issue["code"]) {
    case "invalid_type":
      return readWrongType(issue["expected"], issue["received"]);
    case "invalid_date":
      return readWrongType("date");
    case "too_small":
    case "too_big":
      return outOfRange(issue);
    case "not_multiple_of":
      return broken("VAL-003", {
        type: "number",
        multipleOf: issue["divisor"] ?? issue["multipleOf"],
      });
    case "invalid_format":
    case "invalid_string":
      return wrongText(issue);
    case "invalid_value":
      return broken("VAL-008", { enum: issue["values"] });
    case "invalid_enum_value":
      return broken("VAL-008", { enum: issue["options"] });
    case "invalid_literal":
      return broken("VAL-008", { enum: [issue["expected"]] });
    case "unrecognized_keys":
      return { kind: "unknown-fields", names: keyNames(issue["keys"]) };
    case "invalid_key":
      return broken("VAL-003");
    case "invalid_union_discriminator":
      return { kind: "tag", schema: { enum: issue["options"] } };
    case "invalid_union":
      return wrongVariant(issue, readInner);
    case "invalid_intersection_types":
    case "not_finite":
    case "custom":
      return { kind: "rule" };
    default:
      return { kind: "opaque" };
  }
};

function readWrongType(expected: unknown, received?: unknown): IssueReading {
  if (expected === "date") return WANTS_DATE;
  if (expected === "never" || expected === "undefined" || expected === "void")
    return broken("VAL-005");
  const code = received === "undefined" ? "VAL-001" : "VAL-002";
  // zod 3 lists the values of an enum here, as a string.
  return wrongType(code, TYPES.get(expected) ?? expected);
}

function outOfRange(issue: ZodIssue): IssueReading {
  const origin = issue["origin"] ?? issue["type"];
  const isExact = issue["exact"] === true;
  const limit = issue["code"] === "too_small" ? issue["minimum"] : issue["maximum"];
  const sides = isExact ? ["min", "max"] : [issue["code"] === "too_small" ? "min" : "max"];
  const rule = (type: string, suffix: string): SchemaObject =>
    Object.fromEntries([
      ["type", type],
      ...sides.map((side) => [`${side}${suffix}`, limit] as const),
    ]);
  if (origin === "string") return broken("VAL-009", rule("string", "Length"));
  if (origin === "array") return broken("VAL-006", rule("array", "Items"));
  if (origin !== "number" && origin !== "int") return { kind: "rule" };
  const type = origin === "int" ? "integer" : "number";
  if (issue["inclusive"] !== false) return broken("VAL-003", rule(type, "imum"));
  return broken("VAL-003", {
    type,
    [sides[0] === "min" ? "exclusiveMinimum" : "exclusiveMaximum"]: limit,
  });
}

function wrongText(issue: ZodIssue): IssueReading {
  const name = issue["format"] ?? issue["validation"];
  const format = typeof name === "string" ? zodFormat(name) : undefined;
  if (format) return format;
  const affix = patternOfAffix(isRecord(name) ? name : issue);
  return patternRule(affix ?? issue["pattern"]) ?? broken("VAL-007");
}

function patternOfAffix(rule: ZodIssue): string | undefined {
  const start = rule["prefix"] ?? rule["startsWith"];
  const end = rule["suffix"] ?? rule["endsWith"];
  if (typeof start === "string") return textPattern("start", start);
  if (typeof end === "string") return textPattern("end", end);
  return typeof rule["includes"] === "string"
    ? textPattern("anywhere", rule["includes"])
    : undefined;
}

const wrongVariant: IssueReader = (issue, readInner) => {
  const { errors, unionErrors, discriminator, options } = issue;
  if (discriminator !== undefined) {
    return Array.isArray(options) ? { kind: "tag", schema: { enum: options } } : { kind: "tag" };
  }
  const branches = Array.isArray(errors)
    ? errors.map((branch) => readInner(branch, true))
    : Array.isArray(unionErrors)
      ? unionErrors.map((branch: unknown) =>
          readInner(isRecord(branch) ? branch["issues"] : [], false),
        )
      : [];
  return { kind: "union", branches };
};

function keyNames(keys: unknown): readonly string[] {
  return Array.isArray(keys) ? keys.map(String) : [];
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ["url", "uri"],
  ["datetime", "date-time"],
  ["guid", "uuid"],
  ["ip", "IP address"],
  // Without a time zone, which the JSON Schema format of this name requires.
  ["time", "HH:MM:SS"],
]);

/** The rule behind a zod string format; undefined for checks that are not formats. */
function zodFormat(name: string): BrokenRule | undefined {
  if (NO_FORMATS.has(name)) return undefined;
  const rule = broken("VAL-010", { type: "string", format: FORMATS.get(name) ?? name });
  return name === "time" ? { ...rule, exact: true } : rule;
}

const NO_FORMATS: ReadonlySet<string> = new Set([
  "regex",
  "starts_with",
  "ends_with",
  "includes",
  "lowercase",
  "uppercase",
  "template_literal",
]);
