import { type Flag, variableOf } from "./flag.ts";
import { FLAG_ENTRIES } from "./flags.ts";

const WIDTH = 100;
const INDENT = 28;

/** Generates the text of --help. */
export function helpText(): string {
  const sections = [...new Set(FLAG_ENTRIES.map(([, { section }]) => section))];
  return `${[
    "Usage: toolcontract-mcp [options] -- <command> [arguments]   guards a server on stdio",
    "       toolcontract-mcp [options] --upstream <url>           guards a server on Streamable HTTP",
    ...sections.map(sectionText),
    `Other:\n${entry("-h, --help", "show this help")}\n${entry("-v, --version", "show the version")}`,
    "Each option has an environment variable: --max-attempts is TOOLCONTRACT_MAX_ATTEMPTS. Several values\ngo on separate lines. The command line overrides the environment.",
  ].join("\n\n")}\n`;
}

/** The page docs/mcp-flags.md with the flags as they are now. */
export function flagPage(page: string): string {
  return page.replace(/^\| flag .*\n(?:\|.*\n)+/m, () => `${flagTable()}\n`);
}

/** Generates the table of all flags. */
export function flagTable(): string {
  const rows = FLAG_ENTRIES.map(([name, flag]) => {
    const value = valueName(flag).replaceAll("|", "\\|");
    const flagCell = `\`--${name}${value === "" ? "" : ` ${value}`}\``;
    const fallback = flag.fallback === undefined ? "" : `\`${flag.fallback}\``;
    const help = flag.isList ? `${flag.help}; repeatable` : flag.help;
    return `| ${flagCell} | \`${variableOf(name)}\` | ${fallback} | ${cellText(help)} |`;
  });
  return [
    "| flag | variable | default | what it does |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Escapes what has a meaning in a Markdown table. */
function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/(--[\w-]+|<\w+>)/g, "`$1`");
}

function sectionText(section: string): string {
  const lines = FLAG_ENTRIES.filter(([, flag]) => flag.section === section).map(([name, flag]) => {
    const value = valueName(flag);
    const notes = [
      flag.help,
      flag.isList && "repeatable",
      flag.fallback !== undefined && `default ${flag.fallback}`,
    ].filter((note) => typeof note === "string");
    return entry(`--${name}${value === "" ? "" : ` ${value}`}`, notes.join("; "));
  });
  return `${section}:\n${lines.join("\n")}`;
}

function valueName({ kind, value }: Flag): string {
  return value ?? (kind.type === "choice" ? kind.choices.join("|") : "");
}

/** Formats a flag and its help, wrapped and indented. */
function entry(name: string, help: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of help.split(" ")) {
    if (line !== "" && INDENT + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  lines.push(line);
  const head = `  ${name}`;
  const indent = " ".repeat(INDENT);
  const isLong = head.length >= INDENT;
  const first = isLong ? `${head}\n${indent}` : head.padEnd(INDENT);
  return `${first}${lines.join(`\n${indent}`)}`;
}
