import type { ValidationError } from "../shared/index.ts";

/**
 * What models write for a value that they do not know, and how often in the faulty places of 1,094 real calls; the
 * words without a count are of the same kind, as people write them in forms.
 */
const PLACEHOLDERS: readonly (readonly [word: string, count: number])[] = [
  ["none", 56],
  ["dontcare", 30],
  ["unknown", 13],
  ["tbd", 1],
  ["optional", 1],
  ["null", 0],
  ["undefined", 0],
  ["n/a", 0],
  ["tba", 0],
  ["todo", 0],
  ["placeholder", 0],
  ["unspecified", 0],
  ["not specified", 0],
  ["not provided", 0],
  ["not available", 0],
  ["not given", 0],
  ["not known", 0],
  ["don't care", 0],
];

const WORDS: ReadonlySet<string> = new Set(PLACEHOLDERS.map(([word]) => word));
/** Question marks alone, or a question of several words. */
const QUESTION = /^(?:\?+|\S+ \S+ .*\?)$/s;
/** `<user_id>`, as templates have it. */
const TEMPLATE = /^(?:<[^<>]{1,60}>|\{\{[^{}]{1,60}\}\})$/;
/** How the hints begin that say what to send for a missing field. */
const FIXES = /^(?:rename|use|send) /;
const OF_A_VALUE: ReadonlySet<string> = new Set([
  "VAL-002",
  "VAL-003",
  "VAL-007",
  "VAL-008",
  "VAL-009",
  "VAL-010",
]);

/**
 * Whether the model may not know the value that an error asks for: a field is missing and has no usual value, or null
 * or a placeholder was sent. False if a hint says what to send.
 */
export function mayNotBeKnown(error: ValidationError): boolean {
  const { errorCode, expectedValue = "", actualValue, hint, severity } = error;
  if (severity !== "error") return false;
  // What an author wrote for a missing field does not say its value.
  if (errorCode === "VAL-001")
    return !/(?:^|, )usually /.test(expectedValue) && !FIXES.test(hint ?? "");
  if (hint !== undefined) return false;
  if (!OF_A_VALUE.has(errorCode) || actualValue === undefined) return false;
  return actualValue === "null" || isPlaceholderValue(actualValue);
}

function isPlaceholderValue(preview: string): boolean {
  if (!preview.startsWith('"')) return false;
  try {
    const text = String(JSON.parse(preview)).trim();
    return WORDS.has(text.toLowerCase()) || QUESTION.test(text) || TEMPLATE.test(text);
  } catch {
    // It was cut.
    return false;
  }
}
