import { type SchemaObject, isRecord, jsonTypeOf } from "../../shared/index.ts";
import {
  type BrokenRule,
  type IssueReader,
  type IssueReading,
  type ReadInner,
  broken,
  patternRule,
  textPattern,
  WANTS_DATE,
  wrongType,
} from "./issue.ts";

// Types whose name differs from the JSON type that they accept.
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ["tuple", "array"],
  ["loose_tuple", "array"],
  ["strict_tuple", "array"],
  ["tuple_with_rest", "array"],
  ["record", "object"],
]);

/** Reads an issue of valibot. */
export const readValibotIssue: IssueReader = (issue, readInner) => {
  const { kind, type, requirement, input } = issue;
  if (typeof type !== "string") return { kind: "opaque" };
  if (kind === "schema") return readSchemaIssue(issue, readInner);
  const rule =
    kind === "validation" ? valibotRule(type, requirement, jsonTypeOf(input)) : undefined;
  if (!rule) return { kind: "rule" };
  return isAboutKey(issue) ? broken("VAL-003") : rule;
};

const readSchemaIssue: IssueReader = (issue, readInner) => {
  const { type, issues } = issue;
  switch (type) {
    case "union":
      return readUnionIssue(issues, readInner);
    case "variant":
      // Reported at the tag's path; "Object" means that the value is not an object.
      return issue["expected"] === "Object"
        ? broken("VAL-002", { type: "object" })
        : { kind: "tag" };
    case "picklist":
    case "enum":
    case "literal":
      return isAboutKey(issue) ? broken("VAL-003") : broken("VAL-008");
    case "date":
      return WANTS_DATE;
    case "never":
    case "undefined":
    case "void":
      return broken("VAL-005");
    case "object":
    case "loose_object":
    case "strict_object":
    case "object_with_rest":
      if (issue["expected"] === "never") return broken("VAL-005");
      // For a missing field, the object's issue expects its quoted name.
      return issue["expected"] === "Object"
        ? broken("VAL-002", { type: "object" })
        : broken("VAL-001");
    case "strict_tuple":
      return issue["expected"] === "never"
        ? { kind: "extra-item" }
        : broken("VAL-002", { type: "array" });
    case "custom":
    case "instance":
      return { kind: "rule" };
    default:
      return wrongType("VAL-002", TYPES.get(type) ?? type);
  }
};

/** An issue about the value itself is a branch of its own; the branch of a deeper one is unknown. */
function readUnionIssue(issues: unknown, readInner: ReadInner): IssueReading {
  if (!Array.isArray(issues)) return { kind: "union", branches: [] };
  const isMixed = issues.some((inner) => isRecord(inner) && Array.isArray(inner["path"]));
  return { kind: "union", branches: issues.map((inner) => readInner([inner], true)), isMixed };
}

/** Whether an issue is about a field's name, not its value. */
function isAboutKey(issue: Readonly<Record<string, unknown>>): boolean {
  const last: unknown = Array.isArray(issue["path"]) ? issue["path"].at(-1) : undefined;
  return isRecord(last) && last["origin"] === "key";
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["rfc_email", "email"],
  ["url", "uri"],
  ["uuid", "uuid"],
  ["ipv4", "ipv4"],
  ["ipv6", "ipv6"],
  ["iso_date", "date"],
  ["iso_timestamp", "date-time"],
]);

// These accept strings without a zone or seconds, so the JSON Schema formats would mislead.
const OWN_FORMATS: ReadonlyMap<string, string> = new Map([
  ["iso_date_time", "YYYY-MM-DDTHH:MM"],
  ["iso_date_time_second", "YYYY-MM-DDTHH:MM:SS"],
  ["iso_time", "HH:MM"],
  ["iso_time_second", "HH:MM:SS"],
  ["iso_week", "YYYY-Www"],
  ["ip", "IP address"],
]);

const NAMED_PATTERNS: ReadonlySet<string> = new Set(
  (
    "base64 bic credit_card cuid2 decimal digits domain emoji hash hex_color hexadecimal imei isbn isrc " +
    "jws_compact ksuid mac mac48 mac64 mime_type nanoid octal slug ulid"
  ).split(" "),
);

const LIMITS: ReadonlyMap<string, readonly string[]> = new Map([
  ["min_value", ["minimum"]],
  ["max_value", ["maximum"]],
  ["value", ["minimum", "maximum"]],
  ["gt_value", ["exclusiveMinimum"]],
  ["lt_value", ["exclusiveMaximum"]],
  ["multiple_of", ["multipleOf"]],
]);

const SIZES: ReadonlyMap<string, readonly ("min" | "max")[]> = new Map([
  ["min_length", ["min"]],
  ["max_length", ["max"]],
  ["length", ["min", "max"]],
  ["min_code_points", ["min"]],
  ["max_code_points", ["max"]],
  ["code_points", ["min", "max"]],
  ["min_entries", ["min"]],
  ["max_entries", ["max"]],
  ["entries", ["min", "max"]],
]);

/** The rule behind a valibot validation of a JSON type; undefined if JSON Schema has none. */
function valibotRule(name: string, requirement: unknown, type: string): BrokenRule | undefined {
  if (type === "string") return textRule(name, requirement) ?? sizeRule(name, requirement, type);
  if (type === "number" || type === "integer") return numberRule(name, requirement);
  return sizeRule(name, requirement, type);
}

function textRule(name: string, requirement: unknown): BrokenRule | undefined {
  const text = (format: string): BrokenRule => broken("VAL-010", { type: "string", format });
  const format = FORMATS.get(name);
  const own = OWN_FORMATS.get(name);
  if (format !== undefined) return text(format);
  if (own !== undefined) return { ...text(own), exact: true };
  if (NAMED_PATTERNS.has(name)) return text(name.replaceAll("_", "-"));
  if (name === "values") return broken("VAL-008", { enum: requirement });
  return patternRule(name === "regex" ? requirement : affixPattern(name, requirement));
}

function affixPattern(name: string, requirement: unknown): string | undefined {
  if (typeof requirement !== "string") return undefined;
  if (name === "starts_with") return textPattern("start", requirement);
  if (name === "ends_with") return textPattern("end", requirement);
  return name === "includes" ? textPattern("anywhere", requirement) : undefined;
}

function numberRule(name: string, requirement: unknown): BrokenRule | undefined {
  if (name === "integer" || name === "safe_integer") return broken("VAL-002", { type: "integer" });
  if (name === "values") return broken("VAL-008", { enum: requirement });
  const keywords = LIMITS.get(name);
  return keywords && broken("VAL-003", ruleOf("number", keywords, requirement));
}

function sizeRule(name: string, requirement: unknown, type: string): BrokenRule | undefined {
  const limit = name === "non_empty" ? 1 : requirement;
  const sides = name === "non_empty" ? (["min"] as const) : SIZES.get(name);
  if (!sides || typeof limit !== "number") return undefined;
  const keywords = (suffix: string): readonly string[] => sides.map((side) => side + suffix);
  if (type === "string") return broken("VAL-009", ruleOf(type, keywords("Length"), limit));
  if (type === "array") return broken("VAL-006", ruleOf(type, keywords("Items"), limit));
  return type === "object"
    ? broken("VAL-003", ruleOf(type, keywords("Properties"), limit))
    : undefined;
}

function ruleOf(type: string, keywords: readonly string[], limit: unknown): SchemaObject {
  return Object.fromEntries([
    ["type", type],
    ...keywords.map((keyword) => [keyword, limit] as const),
  ]);
}
