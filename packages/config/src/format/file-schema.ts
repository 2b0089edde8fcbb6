import type { SchemaObject } from "@toolcontract/core";
import { GUARDRAILS_SCHEMA } from "./guardrails-schema.ts";
import { LINT_KEY, LINT_SCHEMA } from "./lint-schema.ts";
import { FILE_OPTIONS, type NamedFileOption, sectionOf } from "./option-table.ts";

const PLACEHOLDER: SchemaObject = {
  description: "Taken from the layer's .env file or from the environment.",
  type: "string",
  pattern: String.raw`\$\{[A-Za-z_][A-Za-z0-9_]*\}`,
};

const SECTIONS: Readonly<Record<string, string>> = {
  retry: "How attempts are counted.",
  formatting: "What the model reads.",
};

/**
 * The JSON Schema of the file, built from the table of options.
 *
 * @param placeholders - Whether `${VARIABLE}` is accepted as a value, as in the file before it is expanded.
 */
export function fileSchema(placeholders: boolean): SchemaObject {
  const valueOf = (option: NamedFileOption): SchemaObject => optionSchema(option, placeholders);
  const direct = FILE_OPTIONS.filter((one) => sectionOf(one) === undefined);
  const sections = Object.entries(SECTIONS).map(([section, description]) => {
    const members = FILE_OPTIONS.filter((one) => sectionOf(one) === section);
    return [
      section,
      mapping(
        description,
        false,
        members.map((one) => [one.keys[1], valueOf(one)]),
      ),
    ];
  });
  const validation = mapping("The contract between model, tools and host.", false, [
    ...sections,
    ...direct.map((option) => [option.keys[0], valueOf(option)]),
  ]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Toolcontract configuration",
    ...mapping(
      "What .agent/config.yml may hold. Keys of `tools` beside these two are read by other programs.",
      true,
      [
        [
          "tools",
          mapping("Settings of tools.", true, [
            ["validation", validation],
            ["guardrails", GUARDRAILS_SCHEMA],
          ]),
        ],
        [LINT_KEY, LINT_SCHEMA],
      ],
    ),
    ...(placeholders && { definitions: { placeholder: PLACEHOLDER } }),
  };
}

/** A mapping, or null: a key whose members are all commented out. */
function mapping(
  description: string,
  additionalProperties: boolean,
  members: readonly (readonly unknown[])[],
): SchemaObject {
  const properties = Object.fromEntries(members as readonly (readonly [string, SchemaObject])[]);
  return { description, type: ["object", "null"], properties, additionalProperties };
}

function optionSchema(option: NamedFileOption, placeholders: boolean): SchemaObject {
  const { about: description, schema, fallback } = option;
  const notes = { description, ...(fallback !== undefined && { default: fallback }) };
  if (!placeholders || isFreeText(option)) return { ...notes, ...schema };
  return { ...notes, anyOf: [schema, { $ref: "#/definitions/placeholder" }] };
}

/** Whether the option accepts any string, so a placeholder needs no extra rule. */
function isFreeText({ schema }: NamedFileOption): boolean {
  return schema["type"] === "string" && schema["enum"] === undefined;
}
