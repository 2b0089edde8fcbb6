import { isRecord } from "@toolcontract/explain/adapter";
import {
  type FieldPlace,
  type LintRule,
  type LintTool,
  type Place,
  descriptionOf,
  isNegated,
} from "../shared/index.ts";

/** A tool or a field without a description. */
export const missingDescription: LintRule = {
  name: "missing-description",
  severity: "warning",
  about: "A tool or a field has no description, so a model has only the name to guess from.",
  fix: "say in a sentence what it is, with an example of a value",
  numbers:
    "486 of 1,902 invalid real calls lack a required field; 30 of them for three fields that no name explains.",
  *check({ tool, fields, pointerOf }) {
    if (tool.form !== "schema" && (tool.description ?? "").trim() === "")
      yield { path: tool.at.description, message: "The tool has no description" };
    for (const field of fields) {
      if (descriptionOf(field.node).trim() !== "" || saysItself(field)) continue;
      yield {
        path: pointerOf(field),
        message: `The field "${field.name.slice(0, 64)}" has no description`,
      };
    }
  },
};

/** Whether values, variants, items or another schema say what a field is, or no value of it is wanted here. */
function saysItself(field: FieldPlace): boolean {
  const isDescribed = ["enum", "const", "$ref"].some((keyword) =>
    Object.hasOwn(field.node, keyword),
  );
  const { anyOf, oneOf, allOf, items } = field.node;
  const isPartDescribed = [anyOf, oneOf, allOf, items]
    .flat()
    .some((part) => isRecord(part) && descriptionOf(part).trim() !== "");
  return isDescribed || isPartDescribed || isNegated(field);
}

const EMPTY_NAMES =
  /^(?:(?:arg|param|value|field|data|input|var|obj|item|x|y|z|a|b|c|s|n)\d*|args|kwargs|params|options|opts|body|payload|object|request|info|content|object\d*)$/i;

/** Whether a name does not say what it is the name of. */
export function saysNothing(name: string): boolean {
  return EMPTY_NAMES.test(name);
}

/** A required field whose name does not say what it is. */
export const unclearName: LintRule = {
  name: "unclear-name",
  severity: "warning",
  about: "A required field has a name such as data or arg1, and no description.",
  fix: "name it after what it holds, or describe it",
  *check({ tool, fields, pointerOf }) {
    for (const field of fields) {
      if (!field.isRequired || !saysNothing(field.name)) continue;
      if (descriptionOf(field.node).trim() !== "" || saysItself(field)) continue;
      if (isSaidAround(field, tool)) continue;
      yield {
        path: pointerOf(field),
        message: `The name "${field.name}" does not say what is wanted`,
      };
    }
  },
};

/** Names that are clear inside of something: the content of a file, the field of a sort. */
const NOUNS = /^(?:value|field|content|body|input)$/i;
const AXES = ["x", "y"];

/** Whether what is around a field says what it is. */
function isSaidAround(field: FieldPlace, tool: LintTool): boolean {
  const { name, parent } = field;
  const { properties } = parent.node;
  const isAxis = AXES.includes(name);
  if (isAxis && isRecord(properties) && AXES.every((axis) => Object.hasOwn(properties, axis)))
    return true;
  const around = placesAround(field);
  const named = new RegExp(`["'\`]${name}["'\`]|\\b${name}\\s*:`, "i");
  if (around.some(({ node }) => named.test(descriptionOf(node)))) return true;
  if (!NOUNS.test(name)) return false;
  const owner = around.find(({ keys: [keyword] }) => keyword === "properties");
  if (owner !== undefined) return !saysNothing(owner.keys[1] ?? "");
  return new RegExp(`(?:^|[^a-z])${name}s?(?:[^a-z]|$)`, "i").test(
    `${tool.name} ${tool.description ?? ""}`,
  );
}

function placesAround({ parent }: Place): readonly Place[] {
  return parent === undefined ? [] : [parent, ...placesAround(parent)];
}

const SHAPES = [
  "type",
  "enum",
  "const",
  "$ref",
  "$dynamicRef",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "properties",
  "items",
  "format",
  "pattern",
];

/** A field that may be anything. */
export const missingType: LintRule = {
  name: "missing-type",
  severity: "warning",
  about: "A field has no type, so a model may send a string, a list or an object.",
  fix: "add a type",
  *check({ fields, pointerOf }) {
    for (const field of fields) {
      if (SHAPES.some((keyword) => Object.hasOwn(field.node, keyword))) continue;
      yield {
        path: pointerOf(field),
        message: `The field "${field.name.slice(0, 64)}" has no type`,
      };
    }
  },
};
