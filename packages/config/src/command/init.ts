import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { file as findUp } from "empathic/find";
import { CONFIG_PATH } from "../files/index.ts";
import { FILE_OPTIONS, type NamedFileOption, sectionOf, TREE } from "../format/index.ts";
import type { CommandContext } from "./command-line.ts";
import { shownIn } from "./inspect.ts";

/** Writes a new configuration file; an existing one is not changed. */
export function init(context: CommandContext): void {
  const path = join(context.cwd, ...CONFIG_PATH);
  const shown = shownIn(context)(path);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, configTemplate(schemaFor(path)), { flag: "wx" });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    throw new FileExistsError(`${shown} already exists; it was not changed.`);
  }
  context.print(`Wrote ${shown}`);
}

/** The path of the installed schema, which fits the installed version; undefined if the package is not installed. */
function schemaFor(path: string): string | undefined {
  const folder = dirname(path);
  const installed = findUp("node_modules/@toolcontract/config/schema.json", { cwd: folder });
  if (installed === undefined) return undefined;
  return relative(folder, installed).replaceAll("\\", "/");
}

/** An example of guardrails, which have no defaults to list; it is commented out. */
const GUARDRAILS = `
  # Guardrails, for @toolcontract/guardrails. An example:
  # guardrails:
  #   effects:
  #     refund: idempotent
  #   rules:
  #     - name: refund_limit
  #       tools: [refund]
  #       allow: args.amount <= 500
  #       message: the refund is too large
  #       hint: refund at most 500, or open a ticket
  #       field_path: /amount`;

/** The contents of a new configuration file: every option with its default and what it does. */
export function configTemplate(schema: string | undefined): string {
  const [tools, validation] = TREE;
  const sections = new Set(FILE_OPTIONS.map(sectionOf));
  sections.delete(undefined);
  return [
    schema === undefined
      ? "# If @toolcontract/config is installed, this line makes editors complete the file:\n# yaml-language-server: $schema=../node_modules/@toolcontract/config/schema.json"
      : `# yaml-language-server: $schema=${schema}`,
    "# How tool calls are validated. These are the defaults: keep the lines that you change.",
    `${tools}:`,
    `  ${validation}:`,
    ...[...sections].flatMap((section) => [`    ${section}:`, ...optionsOf(section), ""]),
    ...optionsOf(undefined),
    GUARDRAILS,
  ]
    .join("\n")
    .concat("\n");
}

function optionsOf(section: string | undefined): readonly string[] {
  const indent = section === undefined ? "    " : "      ";
  const members = FILE_OPTIONS.filter((one) => sectionOf(one) === section);
  return members.flatMap((option) => linesOfOption(option).map((line) => indent + line));
}

function linesOfOption({ keys, fallback, example, about }: NamedFileOption): readonly string[] {
  const key = keys.at(-1) ?? "";
  const line = fallback === undefined ? `# ${key}: ${example}` : `${key}: ${fallback}`;
  return [`# ${about}`, line];
}

/** The file to write already exists. */
export class FileExistsError extends Error {
  override readonly name: string = "FileExistsError";
}
