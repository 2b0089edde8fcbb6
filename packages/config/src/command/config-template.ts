import { FILE_OPTIONS, type FileOption } from "../format/option-table.ts";
import { TREE } from "../format/pointer.ts";

/** Examples for options without a default, which are commented out. */
const EXAMPLES: Readonly<Record<string, string>> = { max_tokens: "500", workspace_root: "." };

/** The text of a new configuration file: every option with its default and what it does. */
export function configTemplate(schema: string | undefined): string {
  const [tools, validation] = TREE;
  const sections = new Set(
    FILE_OPTIONS.flatMap(({ keys }) => (keys.length === 2 ? [keys[0]] : [])),
  );
  return [
    schema === undefined
      ? "# Where @toolcontract/config is installed, editors complete this file with the line\n# yaml-language-server: $schema=../node_modules/@toolcontract/config/schema.json"
      : `# yaml-language-server: $schema=${schema}`,
    "# How the calls of tools are validated. These are the defaults: keep the lines that you change.",
    `${tools}:`,
    `  ${validation}:`,
    ...[...sections].flatMap((section) => [`    ${section}:`, ...optionsOf(section), ""]),
    ...optionsOf(undefined),
  ]
    .join("\n")
    .concat("\n");
}

function optionsOf(section: string | undefined): readonly string[] {
  const indent = section === undefined ? "    " : "      ";
  const members = FILE_OPTIONS.filter(
    ({ keys }) => (keys.length === 2 ? keys[0] : undefined) === section,
  );
  return members.flatMap((option) => linesOf(option).map((line) => indent + line));
}

function linesOf({ keys, fallback, about }: FileOption): readonly string[] {
  const key = keys.at(-1) ?? "";
  const line = fallback === undefined ? `# ${key}: ${EXAMPLES[key]}` : `${key}: ${fallback}`;
  return [`# ${about}`, line];
}
