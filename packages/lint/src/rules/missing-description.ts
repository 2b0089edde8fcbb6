import { type FieldPlace, type LintRule, descriptionOf, isNegated } from "../shared/index.ts";

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

/** Whether values or another schema say what a field is, or no value of it is wanted here. */
function saysItself(field: FieldPlace): boolean {
  const isDescribed = ["enum", "const", "$ref"].some((keyword) =>
    Object.hasOwn(field.node, keyword),
  );
  return isDescribed || isNegated(field);
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
  *check({ fields, pointerOf }) {
    for (const field of fields) {
      if (!field.isRequired || !saysNothing(field.name)) continue;
      if (descriptionOf(field.node).trim() !== "" || saysItself(field)) continue;
      yield {
        path: pointerOf(field),
        message: `The name "${field.name}" does not say what is wanted`,
      };
    }
  },
};

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
