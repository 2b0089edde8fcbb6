import {
  type ExpectationOptions,
  brokenLimit,
  expectationOf,
  hintForNeedless,
  hintForType,
  hintForValue,
  inMeaning,
  indexSchema,
} from "../schema/index.ts";
import {
  type Expectation,
  type Finding,
  type JsonSchema,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonTypeOf,
  matchesType,
  typesOf,
} from "../shared/index.ts";
import type { BrokenRule, StandardIssue } from "./vendors/index.ts";

/** A failed refinement, in the validator's words; the only use of an issue's message. */
export function ruleFailed(issue: StandardIssue, place: IssuePlace): Finding {
  const { path, sent } = place;
  const { message: own = issue.message } = issue.reading.kind === "rule" ? issue.reading : {};
  return {
    code: "VAL-016",
    path,
    ...(own === "" ? { reason: { kind: "rule-failed" } } : { message: own }),
    ...(sent ? { actual: sent } : {}),
  };
}

/** A missing field. */
export function missingFinding(place: IssuePlace, schema: JsonSchema | undefined): Finding {
  return { code: "VAL-001", path: place.path, ...expectation(schema) };
}

/** An unknown field. */
export function unknownFinding(path: Finding["path"], value: unknown): Finding {
  const hint = hintForNeedless(String(path.at(-1)), value);
  return { code: "VAL-005", path, expected: { kind: "absent" }, ...hint };
}

/** The finding for a broken rule, built from the issue's structure alone. */
export function builtFinding(issue: StandardIssue, rule: BrokenRule, place: IssuePlace): Finding {
  const { path, sent } = place;
  const { schema } = rule;
  if (rule.code === "VAL-005") return unknownFinding(path, sent?.value);
  if (rule.code === "VAL-001") return missingFinding(place, schema);
  if (rule.beyond !== undefined && sent && !mayStandFor(rule, sent.value))
    return beyondJson(rule.code, rule.beyond, place);
  if (isRecord(schema) && sent && contradicts(rule.code, schema, sent.value))
    return ruleFailed(issue, place);
  const isText = sent === undefined || typeof sent.value === "string";
  const code = rule.code === "VAL-010" && !isText ? "VAL-002" : rule.code;
  const finding: Finding = {
    code,
    path,
    ...expectation(schema, {
      withPattern: code === "VAL-007",
      broken:
        isRecord(schema) && typeof sent?.value === "number"
          ? brokenLimit(schema, sent.value)
          : undefined,
    }),
    ...(isRecord(schema) && brokenSize(schema, sent?.value)),
    ...(sent ? { actual: sent, ...hintFor(code, schema, sent.value) } : {}),
  };
  return inMeaning(withFlags(finding, rule), { declares: () => true });
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/;

/**
 * Whether another value may do: a validator that converts takes a date from a string and a bigint from an integer, but
 * one that refuses even those wants what no JSON holds.
 */
function mayStandFor({ beyond, schema }: BrokenRule, value: unknown): boolean {
  if (beyond === "date") return typeof value !== "string" || !DATE.test(value);
  return beyond === "bigint" && !typesOfRule(schema).some((type) => matchesType(value, type));
}

/** What the validator wants is a value of JavaScript, which no JSON holds. */
function beyondJson(code: Finding["code"], type: string, { path, sent }: IssuePlace): Finding {
  // The name of a class may also be that of a text, such as `URL`.
  const named = /^[A-Z]/.test(type) ? `${type} object` : type;
  return {
    code,
    path,
    expected: { kind: "words", text: "what JSON cannot express" },
    ...(sent && { actual: sent }),
    hint: { kind: "words", text: `tell the user that this tool takes no ${named} from you` },
    beyond: type,
  };
}

/** The number of fields that a value should have, which what a schema expects of an object leaves out. */
function brokenSize(
  { minProperties: min, maxProperties: max }: SchemaObject,
  value: unknown,
): Pick<Finding, "expected"> | undefined {
  const size = isRecord(value) ? Object.keys(value).length : 0;
  // A validator may have left out some that were sent.
  if (typeof min === "number" && (size <= min || typeof max !== "number"))
    return { expected: { kind: "size", limits: { min } } };
  return typeof max === "number" ? { expected: { kind: "size", limits: { max } } } : undefined;
}

/** Whether a rule is about a value of another type than the one that was sent: the validator had converted it. */
export function isAboutAnother({ schema }: BrokenRule, value: unknown): boolean {
  const types = typesOfRule(schema);
  return types.length > 0 && !types.some((type) => matchesType(value, type));
}

/** Returns a value of the type that a rule is about. */
export function sampleOfRule({ schema }: BrokenRule): unknown {
  const [type] = typesOfRule(schema);
  return type === undefined ? null : SAMPLES[type];
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: "",
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

function typesOfRule(schema: JsonSchema | undefined): readonly string[] {
  if (!isRecord(schema)) return [];
  const listed = schema["enum"];
  return Array.isArray(listed) ? listed.map(jsonTypeOf) : typesOf(schema);
}

/** A rule that the value breaks which the validator makes from the string that must be sent. */
export function laterStage(rule: BrokenRule, { path, sent }: IssuePlace): Finding {
  const of = expectedOf(rule.schema ?? true, { withPattern: true });
  return {
    code: rule.code === "VAL-003" ? rule.code : "VAL-010",
    path,
    expected: { kind: "holding", of },
    ...(sent && { actual: sent }),
  };
}

/** Adds the flags of a rule's pattern, which the JSON Schema does not have. */
export function withFlags(finding: Finding, { flags, schema }: BrokenRule): Finding {
  const { expected } = finding;
  if (flags === undefined || expected?.kind !== "string" || !isRecord(schema)) return finding;
  const plain = (pattern: unknown): string => String(pattern).replaceAll(String.raw`\/`, "/");
  const isSame = plain(expected.pattern) === plain(schema["pattern"]);
  return isSame ? { ...finding, expected: { ...expected, flags } } : finding;
}

/** Whether the validator saw another value than was sent (a coercion), so "expected string" would be confusing. */
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
  // The rule alone does not say what the items are, so the array may be wrong again.
  return hint.hint?.kind === "wrap-in-array" ? {} : hint;
}

export function expectation(
  schema: JsonSchema | undefined,
  options?: ExpectationOptions,
): Pick<Finding, "expected" | "issued"> {
  return schema === undefined ? {} : { expected: expectedOf(schema, options), issued: true };
}

/** What a rule expects, from its JSON Schema form. */
export function expectedOf(schema: JsonSchema, options?: ExpectationOptions): Expectation {
  const index = indexSchema(schema, "2020-12");
  return expectationOf(index, schema, index.root.base, options);
}

/** The place in the sent arguments that an issue points to. */
export interface IssuePlace {
  readonly path: readonly PathSegment[];
  /** What was sent there; absent if nothing was. */
  readonly sent?: { readonly value: unknown };
  /** The deepest value on the path that was sent, and its depth. */
  readonly holder: { readonly value: unknown; readonly depth: number };
}

/** Follows an issue's path through own properties and items only. */
export function locateIssue(root: unknown, path: readonly PathSegment[]): IssuePlace {
  const followed: PathSegment[] = [];
  let value = root;
  for (const [depth, segment] of path.entries()) {
    const step = stepInto(value, segment);
    if (step === undefined) {
      const rest = [isRecord(value) ? String(segment) : segment, ...path.slice(depth + 1)];
      return { path: [...followed, ...rest], holder: { value, depth } };
    }
    followed.push(step.segment);
    value = step.value;
  }
  return { path: followed, sent: { value }, holder: { value, depth: path.length } };
}

interface PathStep {
  readonly segment: PathSegment;
  readonly value: unknown;
}

function stepInto(value: unknown, segment: PathSegment): PathStep | undefined {
  if (Array.isArray(value)) {
    const index =
      typeof segment === "number" ? segment : /^\d{1,9}$/.test(segment) ? Number(segment) : -1;
    return index in value && index >= 0 ? { segment: index, value: value[index] } : undefined;
  }
  const name = String(segment);
  return isRecord(value) && hasField(value, name)
    ? { segment: name, value: value[name] }
    : undefined;
}
