import { LEAVE_OUT } from "../explain/list-words.ts";
import { hintForValue } from "../explain/value-hints.ts";
import { describe } from "../explain/describe.ts";
import { hintForType } from "../explain/hint-type.ts";
import { isRecord, matchesType, typesOf } from "../explain/json-type.ts";
import type { Finding } from "../fault.ts";
import type { JsonSchema } from "../json-schema.ts";
import { indexSchema } from "../schema/schema-index.ts";
import type { IssuePlace } from "./issue-place.ts";
import type { BrokenRule, StandardIssue } from "./standard-issue.ts";

const NO_WORDS = "A rule of the tool failed";

/** A failed requirement of the tool's own, in the validator's words; the only use of an issue's message. */
export function ruleFailed(issue: StandardIssue, place: IssuePlace): Finding {
  const { path, sent } = place;
  const { message: own = issue.message } = issue.reading.kind === "rule" ? issue.reading : {};
  const message = own === "" ? NO_WORDS : own;
  return { code: "VAL-016", path, message, ...(sent ? { actual: sent } : {}) };
}

/** A missing field. */
export function missingField(place: IssuePlace, schema: JsonSchema | undefined): Finding {
  return { code: "VAL-001", path: place.path, ...expectation(schema) };
}

/** A field that the tool does not know. */
export function unknownField(path: Finding["path"]): Finding {
  return { code: "VAL-005", path, expected: "nothing here", hint: LEAVE_OUT };
}

/** The finding for a broken rule, told from the issue's own structure alone. */
export function builtFinding(issue: StandardIssue, rule: BrokenRule, place: IssuePlace): Finding {
  const { path, sent } = place;
  const { schema } = rule;
  if (rule.code === "VAL-005") return unknownField(path);
  if (rule.code === "VAL-001") return missingField(place, schema);
  if (isRecord(schema) && sent && contradicts(rule.code, schema, sent.value))
    return ruleFailed(issue, place);
  const isText = sent === undefined || typeof sent.value === "string";
  const code = rule.code === "VAL-010" && !isText ? "VAL-002" : rule.code;
  return {
    code,
    path,
    ...expectation(schema, code === "VAL-007"),
    ...(sent ? { actual: sent, ...hintFor(code, schema, sent.value) } : {}),
  };
}

/** The validator saw something else than was sent, so that "expected string" would puzzle whoever sent one. */
function contradicts(
  code: Finding["code"],
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
): boolean {
  return code === "VAL-002" && typesOf(schema).some((type) => matchesType(value, type));
}

function hintFor(
  code: Finding["code"],
  schema: JsonSchema | undefined,
  value: unknown,
): Partial<Finding> {
  if (!isRecord(schema)) return {};
  if (code === "VAL-008" && Array.isArray(schema["enum"]))
    return hintForValue(schema["enum"], value);
  if (code !== "VAL-002") return {};
  const location = { schema, base: "", scope: [], path: [], value, optional: false, depth: 0 };
  const { fixed: _, ...hint } = hintForType(typesOf(schema), schema, location);
  return hint;
}

function expectation(
  schema: JsonSchema | undefined,
  withPattern = false,
): Pick<Finding, "expected"> {
  const text = schema === undefined ? undefined : expectedText(schema, withPattern);
  return text === undefined ? {} : { expected: text };
}

/** What a rule asks for, in the words that the JSON Schema form of it would have. */
export function expectedText(schema: JsonSchema, withPattern: boolean): string {
  const index = indexSchema(schema, "2020-12");
  return describe(index, schema, index.root.base, { withPattern });
}
