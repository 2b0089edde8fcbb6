import type { Hint, JsonRule, Reason, Variant } from "../shared/index.ts";
import { listNames, plural } from "./list-words.ts";

const JSON_RULES: Readonly<Record<JsonRule, string>> = {
  "one-object": "send one JSON object and nothing else",
  strict:
    "write it as strict JSON: names and strings in double quotes, a colon after each name, matching brackets",
  value:
    "write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array",
  quote: 'write a double quote inside a string as \\"',
  backslash: "write a backslash inside a string as \\\\",
};

/** Writes the literal fix of a fault. */
export function writeHint(hint: Hint): string {
  switch (hint.kind) {
    case "leave-out":
      return "leave it out";
    case "use":
      return `use ${JSON.stringify(hint.value)}`;
    case "unquote":
      return `send ${hint.literal} without quotes`;
    case "unstringify":
      return `send the ${hint.type} itself, not a JSON string`;
    case "unwrap-array":
      return "send the array itself, without an object around it";
    case "wrap-in-array":
      return "put it in an array";
    case "rename-to":
      return `rename it to ${JSON.stringify(hint.name)}`;
    case "rename":
      return `rename ${JSON.stringify(hint.from)} to ${JSON.stringify(hint.to)}`;
    case "lift":
      return `send its fields (${listNames(hint.fields)}) one level up`;
    case "json":
      return JSON_RULES[hint.rule];
    case "send-shorter":
      return "send shorter arguments, or split the work into several calls";
    case "send-whole":
      return "send the JSON to its end; if your output was cut, send less in one call";
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
      return `Invalid JSON at position ${reason.offset} (line ${reason.line}, column ${reason.column})`;
    case "cut-off":
      return reason.after === undefined
        ? "Arguments were cut off"
        : `Arguments were cut off after ${plural(reason.after, "character")}`;
    case "unknown-tool":
      return `Unknown tool '${reason.name}'`;
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
      return `Fits several variants: ${reason.names.join(" and ")}`;
    case "too-deep":
      return "Arguments are nested too deeply";
    case "rule-unmet":
      return "A rule of this tool was not met";
    case "rule-could-not-run":
      return "A rule of this tool could not run";
    case "rule-failed":
      return "A rule of the tool failed";
    case "validator-could-not-run":
      return "The tool's validator could not run";
    case "validator-refused":
      return "The tool's validator refused the arguments";
    case "unreadable-error":
      return "An error could not be read";
  }
}
