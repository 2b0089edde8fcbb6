import { pointerKeys } from "@toolcontract/explain/adapter";
import {
  type LintFinding,
  type LintTool,
  type Place,
  descriptionOf,
  join,
  placesOf,
} from "../shared/index.ts";
import type { LostCalls } from "./lost-calls.ts";

/** A tool with what the rules found in it. */
interface JudgedTool {
  readonly tool: LintTool;
  readonly findings: readonly LintFinding[];
}

const DESCRIBE = "describe the field, with an example of a value";

/** What to change, by code, if no rule has found a mistake in the declaration of the field. */
const CHANGES: Readonly<Record<string, string>> = {
  "VAL-001": "say in its description where the value comes from, or make it optional",
  "VAL-002": "say its type in the description, with an example of a value",
  "VAL-003": "say its limits in the description",
  "VAL-004": "make the arguments smaller or flatter: models break off long JSON",
  "VAL-005":
    "declare the field if the tool can use it, or name the declared ones in the description of the tool",
  "VAL-006": "say in its description how many items it takes",
  "VAL-007": "show a value that fits its pattern in the description",
  "VAL-008": "say in its description what each value means, or accept the other spellings",
  "VAL-009": "say its length in the description",
  "VAL-010": "show a value of its format in the description",
  "VAL-011": "make the arguments smaller, or raise the model's limit of output tokens",
  "VAL-012":
    "give the tool the name that models try, or say in the system prompt which tools there are",
  "VAL-013": "split the tool into one for each variant, or describe when which one applies",
  "VAL-014": "say in the description of the tool which fields go together",
  "VAL-015": "say in its description that items must differ",
  "VAL-016": "say the rule in the description of the field",
};

/** What to change so that models get a field right: what the rules found there, or what its most frequent error asks for. */
export function adviceFor(
  { tool: name, field, code }: LostCalls,
  tools: readonly JudgedTool[],
): string | undefined {
  const judged = tools.find(({ tool }) => tool.name === name);
  if (judged === undefined) return CHANGES[code];
  const { tool, findings } = judged;
  const place = placesOf(tool.inputSchema).find((one) => fieldOf(one) === field && field !== "");
  if (place === undefined) return CHANGES[code];
  const at = tool.at.inputSchema + place.pointer;
  // What a provider refuses never led to a call.
  const inField = findings.filter(
    ({ path, rule }) => rule !== "provider-breaks" && `${path}/`.startsWith(`${at}/`),
  );
  const found = (["error", "warning"] as const)
    .map((level) => inField.find(({ severity }) => severity === level))
    .find((one) => one !== undefined);
  if (found !== undefined) return found.fix ?? found.message;
  return descriptionOf(place.node) === "" ? DESCRIBE : CHANGES[code];
}

/** The field of the arguments that a schema is for; undefined if that depends on the value. */
function fieldOf({ keys, parent }: Place): string | undefined {
  if (parent === undefined) return "";
  const outer = fieldOf(parent);
  const [keyword = "", key = ""] = keys;
  if (outer === undefined) return undefined;
  if (keyword === "properties") return join(outer, key);
  if (keyword === "items" || keyword === "prefixItems" || keyword === "additionalProperties")
    return join(outer, "*");
  return ["anyOf", "oneOf", "allOf"].includes(keyword) ? outer : undefined;
}

/** The name of a field, for people. */
export function fieldName(field: string): string {
  const [first, ...rest] = pointerKeys(field);
  if (first === undefined) return "(arguments)";
  return rest.reduce((text, key) => (key === "*" ? `${text}[]` : `${text}.${key}`), first);
}
