import { isRecord, jsonTypeOf } from "../explain/json-type.ts";
import { broken, type IssueReader } from "./standard-issue.ts";
import { valibotRule } from "./valibot-rule.ts";

// What is called otherwise than the JSON type that it takes in.
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ["bigint", "integer"],
  ["tuple", "array"],
  ["loose_tuple", "array"],
  ["strict_tuple", "array"],
  ["tuple_with_rest", "array"],
  ["loose_object", "object"],
  ["strict_object", "object"],
  ["object_with_rest", "object"],
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
      return {
        kind: "union",
        branches: Array.isArray(issues) ? issues.map((inner) => readInner([inner], true)) : [],
      };
    case "variant":
      // At the tag's path; with no path of its own the value is no object at all.
      return issue["expected"] === "Object"
        ? broken("VAL-002", { type: "object" })
        : { kind: "tag" };
    case "picklist":
    case "enum":
    case "literal":
      return isAboutKey(issue) ? broken("VAL-003") : broken("VAL-008");
    case "date":
      return broken("VAL-010", { type: "string", format: "date-time" });
    case "never":
    case "undefined":
    case "void":
      return broken("VAL-005");
    case "strict_object":
      return issue["expected"] === "never"
        ? broken("VAL-005")
        : broken("VAL-002", { type: "object" });
    case "strict_tuple":
      return issue["expected"] === "never"
        ? { kind: "extra-item" }
        : broken("VAL-002", { type: "array" });
    case "custom":
    case "instance":
      return { kind: "rule" };
    default:
      return broken("VAL-002", { type: TYPES.get(type) ?? type });
  }
};

/** Tells whether an issue is about a field's name, not its value. */
function isAboutKey(issue: Readonly<Record<string, unknown>>): boolean {
  const last: unknown = Array.isArray(issue["path"]) ? issue["path"].at(-1) : undefined;
  return isRecord(last) && last["origin"] === "key";
}
