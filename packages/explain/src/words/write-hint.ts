import type { Hint, JsonRule, Reason, Variant } from "../shared/index.ts";

/** The longest JSON text that a hint writes out. */
const MAX_TEXT = 200;

const JSON_RULES: Readonly<Record<JsonRule, string>> = {
  "one-object": "send one JSON object and nothing else",
  "only-json": "send only the JSON object",
  strict:
    "write it as strict JSON: names and strings in double quotes, a colon after each name, matching brackets",
  value:
    "write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array",
  calculation: "write the result of a calculation",
  "double-quotes": "put strings in double quotes",
  "close-string": "close each string with a double quote",
  comments: "leave out comments",
  plus: "write numbers without a plus",
  twice: "send each name once",
  bracket: "close each bracket with its own kind",
  quote: String.raw`write a double quote inside a string as in "say \"hi\""`,
  backslash: "write a backslash inside a string as \\\\",
};

/** Writes the literal fix of a fault. */
export function writeHint(hint: Hint): string {
  switch (hint.kind) {
    case "leave-out":
      return "leave it out";
    case "no-option":
      return "no such option: if the call needs it, ask the user";
    case "did-you-mean":
      return `did you mean ${JSON.stringify(hint.name)}?`;
    case "use":
      return `use ${JSON.stringify(hint.value)}`;
    case "find-with":
      return `search for it with ${JSON.stringify(hint.name)} first`;
    case "unquote":
      return `send ${hint.literal} without quotes`;
    case "unstringify":
      return `send the ${hint.type} itself, not a JSON string`;
    case "unwrap-array":
      return "send the array itself, without an object around it";
    case "unwrap-object":
      return "send the object itself, without an array around it";
    case "wrap-in-array":
      return "put it in an array";
    case "send-array":
      return `send an array, such as [${hint.value.map(writeValue).join(", ")}]`;
    case "rename-to":
      return `rename it to ${JSON.stringify(hint.name)}`;
    case "rename":
      return `rename ${JSON.stringify(hint.from)} to ${JSON.stringify(hint.to)}`;
    case "lift":
      return hint.from === undefined
        ? "send its fields one level up"
        : `send the fields of ${JSON.stringify(hint.from)} one level up`;
    case "move-into":
      return `move it into ${hint.isOfItems === true ? "an item of " : ""}${JSON.stringify(hint.name)}`;
    case "lift-items":
      return "send the fields of each item one level up, one call for each";
    case "move-up":
      return "move it one level up";
    case "add-zone":
      return 'add the time zone, such as "Z"';
    case "use-real-date":
      return "use a date that exists";
    case "one-by-one":
      return "one value only: call the tool once for each";
    case "one-call-each":
      return `these are ${plural(hint.count, "object")}: make one call for each`;
    case "one-value":
      return hint.of === "text" ? "send one string, not an array" : "one value only";
    case "send-null":
      return "send null if there is none";
    case "stringify": {
      const text = JSON.stringify(JSON.stringify(hint.value));
      return text.length > MAX_TEXT ? "send it as JSON text" : `send it as JSON text: ${text}`;
    }
    case "quote":
      return "put it in quotes, as you mean it";
    case "not-schema":
      return "send a value, not its schema";
    case "json": {
      const [open, close] = hint.brackets ?? "";
      return open === undefined || close === undefined
        ? JSON_RULES[hint.rule]
        : `${JSON.stringify(close)} does not close ${JSON.stringify(open)}`;
    }
    case "send-shorter":
      return "send shorter arguments, or split the work into several calls";
    case "send-whole":
      return "send the JSON to its end, or less in one call if your output was cut";
    case "send-less":
      return hint.of === "parts" ? "send fewer or flatter parts" : "send a shorter string";
    case "words":
      return hint.text;
  }
}

/** Writes which branch of a union the arguments were checked against. */
export function writeVariant(variant: Variant): string {
  return variant.kind === "words" ? variant.text : `${variant.name} variant`;
}

/** Writes what happened, for the codes whose message does not follow from what was expected and sent. */
export function writeReason(reason: Reason): string {
  switch (reason.kind) {
    case "invalid-json":
      return (
        `Invalid JSON at position ${reason.offset} (line ${reason.line}, column ${reason.column})` +
        (reason.near === undefined ? "" : `: ${reason.near}`)
      );
    case "fraction":
      return "Type mismatch: not a whole number";
    case "inexact":
      return "Number cannot be kept exactly";
    case "cut-off":
      return reason.after === undefined
        ? "Arguments were cut off"
        : `Arguments were cut off after ${plural(reason.after, "character")}`;
    case "unknown-tool":
      return `Unknown tool '${reason.name}'`;
    case "unavailable-tool":
      return `Tool '${reason.name}' is not available now`;
    case "blocked":
      return "This tool is blocked until someone steps in";
    case "required-because": {
      const because =
        reason.given === undefined
          ? "with the other fields as sent"
          : `when '${reason.given}' is given`;
      return `Field '${reason.field}' is required ${because}`;
    }
    case "exclusive-fields":
      return "Fields exclude each other";
    case "ruled-out":
      return "Value is ruled out";
    case "conflict":
      return "Fields conflict or depend on each other";
    case "several-variants":
      return reason.names.length === 0
        ? "Fits several variants"
        : `Fits several variants: ${reason.names.join(" and ")}`;
    case "too-deep":
      return "Arguments are nested too deeply";
    case "fails-again":
      return `The tool fails again and again in the same way: ${reason.how}`;
    case "too-much-to-check":
      return "Too much to check";
    case "rule-unmet":
      return "A rule of this tool was not met";
    case "rule-could-not-run":
      return "A rule of this tool could not run";
    case "rule-failed":
      return "A rule of the tool failed";
    case "validator-could-not-run": {
      const because = reason.detail === undefined ? "" : `: ${reason.detail}`;
      return `The tool's validator could not run${because}`;
    }
    case "validator-refused":
      return "The tool's validator refused the arguments";
    case "unreadable-error":
      return "An error could not be read";
  }
}

/** How much of a list is shown: all of it up to `whole` entries, else the first `few` and a count. */
export interface Extent {
  readonly whole: number;
  readonly few: number;
}

/** As much as fits. */
export const ALL: Extent = { whole: 50, few: 50 };
/** For a list beside a hint that names one of its values. */
export const BESIDE_HINT: Extent = { whole: 12, few: 5 };
/** For a message that must be short. */
export const FEW: Extent = { whole: 4, few: 3 };

/** A name that would read as part of the sentence around it. */
const NOT_PLAIN = /^$|^(?:and|or|not|with|of|one|only|any|more)$|[\s,;()[\]{}]/;

/** Writes a count with its unit: `1 item`, `2 items`. */
export function plural(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** Puts an article before the name of a type: `a number at least 1`, but `one of 1, 2`. */
export function withArticle(words: string): string {
  if (/^(?:number|boolean|date|time|uuid|string)/.test(words)) return `a ${words}`;
  return /^(?:integer|array|object)/.test(words) ? `an ${words}` : words;
}

/** Writes values as a model may send them: one by itself, several as `one of`; of too many, the closest ones first. */
export function listValues(
  values: readonly unknown[],
  extent: Extent,
  closest: readonly unknown[] = [],
): string {
  const [only] = values;
  if (values.length === 1) return writeValue(only);
  if (values.length === 0) return "one of";
  const first = firstOf(values, extent, closest);
  return `one of ${list(first.map(writeValue), extent, values.length)}`;
}

/** As many entries of a list as may be shown: all of them in their own order, or else the closest ones first. */
function firstOf<T>(entries: readonly T[], { whole }: Extent, closest: readonly T[]): readonly T[] {
  const isCut = entries.length > whole && closest.length > 0;
  const ordered = isCut ? [...new Set([...closest, ...entries.slice(0, ALL.whole)])] : entries;
  return ordered.slice(0, ALL.whole);
}

function writeValue(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

/** Writes names, separated by commas. */
export function listNames(
  names: readonly string[],
  extent: Extent = ALL,
  closest: readonly string[] = [],
): string {
  return list(firstOf(names, extent, closest).map(nameInHint), extent, names.length);
}

/** Writes strings as they are, separated by commas. */
export function list(
  texts: readonly string[],
  extent: Extent,
  count: number = texts.length,
): string {
  const shown = texts.slice(0, count > extent.whole ? extent.few : extent.whole);
  const hidden = count - shown.length;
  return shown.join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

/** Writes a name as it is, or in quotes if it would read as part of the sentence around it. */
export function nameInHint(name: string): string {
  return NOT_PLAIN.test(name) ? JSON.stringify(name) : name;
}
