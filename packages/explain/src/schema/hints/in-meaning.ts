import { type Expectation, type Finding, type Hint, withoutHint } from "../../shared/index.ts";
import { mayHoldTruth, statedForm, statedSeparator, takesOneText } from "./stated-form.ts";
import { MAX_LIST } from "./hints.ts";

/** What is known of the field that a finding is about. */
export interface FieldFacts {
  /** Whether any schema declares a field of its name; else it is a name in a map. */
  declares(name: string): boolean;
}

/**
 * Drops or changes a hint at a value of the wrong type that removes the fault but does not say what the author of the
 * field says of it: the call would be valid and mean something else.
 */
export function inMeaning(finding: Finding, facts: FieldFacts): Finding {
  const { code, hint, actual } = finding;
  if (code !== "VAL-002" || actual === undefined) return finding;
  const isOpen = hint === undefined || hint.kind === "one-by-one";
  if (isOpen && holdsJson(finding)) return { ...finding, hint: stringified(actual.value) };
  if (hint === undefined) return finding;
  if (hint.kind === "one-by-one") return { ...finding, hint: forSeveral(finding) };
  if (hint.kind !== "use" || typeof hint.value !== "string") return finding;
  const isLiteral = typeof actual.value === "number" || typeof actual.value === "boolean";
  if (!isLiteral || listsValues(finding.expected)) return finding;
  return mayBeLiteral(finding, facts) ? finding : withoutHint(finding);
}

function mayBeLiteral({ path, note, actual }: Finding, facts: FieldFacts): boolean {
  const name = path.findLast((segment) => typeof segment === "string") ?? "";
  const description = note?.description ?? "";
  if (typeof actual?.value === "number") return statedForm(description) === undefined;
  return mayHoldTruth(name, description) || (name !== "" && !facts.declares(name));
}

/** Whether an array or object was sent where a string of JSON is wanted. */
function holdsJson({ expected, note, actual }: Finding): boolean {
  const isContainer = typeof actual?.value === "object" && actual.value !== null;
  return isContainer && takesText(expected) && /\bJSON\b/i.test(note?.description ?? "");
}

function stringified(value: unknown): Hint {
  return { kind: "stringify", value, echoes: true };
}

function listsValues(expected: Expectation | undefined): boolean {
  return expected?.kind === "values";
}

/** What to do with several values of which a field takes one. */
function forSeveral({ path, note, actual, expected }: Finding): Hint {
  const description = note?.description ?? "";
  const items: readonly unknown[] = Array.isArray(actual?.value) ? actual.value : [];
  const isText = takesText(expected);
  const separator = isText ? statedSeparator(description) : undefined;
  const joined = separator === undefined ? undefined : items.map(String).join(separator);
  if (joined !== undefined && joined.length <= MAX_LIST)
    return { kind: "use", value: joined, echoes: true };
  const isContent = takesOneText(String(path.at(-1)), description) || isLong(items, expected);
  if (isContent) return { kind: "one-value", of: isText ? "text" : "value" };
  // A call for each item of an item would repeat all the others.
  return path.some((segment) => typeof segment === "number")
    ? { kind: "one-value", of: "value" }
    : { kind: "one-by-one" };
}

function takesText(expected: Expectation | undefined): boolean {
  if (expected?.kind === "either" || expected?.kind === "branches")
    return expected.of.some(takesText);
  return expected?.kind === "string";
}

const LONG_ITEM = 80;
/** Longer than a path or an address. */
const LONG_TEXT = 10_000;

/** Whether the values are lines or paragraphs, or the field takes long texts. */
function isLong(items: readonly unknown[], expected: Expectation | undefined): boolean {
  const max = expected?.kind === "string" ? (expected.length.max ?? 0) : 0;
  return max >= LONG_TEXT || items.some((one) => typeof one === "string" && isLine(one));
}

function isLine(text: string): boolean {
  return text.length > LONG_ITEM || text.includes("\n");
}
