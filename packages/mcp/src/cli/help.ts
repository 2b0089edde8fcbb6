import { type Flag, variableOf } from "./flag.ts";
import { FLAG_ENTRIES } from "./flags.ts";

const WIDTH = 100;
const INDENT = 28;

/** The text of --help, made from the flags. */
export function helpText(): string {
  const sections = [...new Set(FLAG_ENTRIES.map(([, { section }]) => section))];
  return `${[
    "Usage: toolcontract-mcp [options] -- <command> [arguments]   guards a server on stdio",
    "       toolcontract-mcp [options] --upstream <url>           guards a server on Streamable HTTP",
    ...sections.map(sectionText),
    `Other:\n${entry("-h, --help", "this text")}\n${entry("-v, --version", "the version")}`,
    "Each option can be an environment variable too: --max-attempts is TOOLCONTRACT_MAX_ATTEMPTS;\nseveral values go on lines of their own. The command line wins.",
  ].join("\n\n")}\n`;
}

/** The documentation's page of all flags, made from them. */
export function flagPage(): string {
  return `# Flags of toolcontract-mcp

Every flag of the proxy in front of an MCP server, with its environment variable and its default.

The command line wins over the environment, and that over [\`.agent/config.yml\`](../packages/config/README.md). A
switch is turned off with \`--no-<flag>\`, or in the environment with \`off\`. Several values stand on lines of their own
in a variable, and in flags of their own on the command line. The [README](../packages/mcp/README.md) tells how to start
the proxy.

${flagTable()}

Exit codes: that of the server, or 128 and the number of the signal that ended it; 127 where its command was not found,
126 where it could not be started, 2 for a wrong command line, 4 for a wrong configuration file.
`;
}

/** The table of all flags, one in a row. */
export function flagTable(): string {
  const rows = FLAG_ENTRIES.map(([name, flag]) => {
    const value = valueOf(flag).replaceAll("|", "\\|");
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

/** Angle brackets and bars mean something in a table of Markdown. */
function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/(--[\w-]+|<\w+>)/g, "`$1`");
}

function sectionText(section: string): string {
  const lines = FLAG_ENTRIES.filter(([, flag]) => flag.section === section).map(([name, flag]) => {
    const value = valueOf(flag);
    const notes = [
      flag.help,
      flag.isList && "repeatable",
      flag.fallback !== undefined && `default ${flag.fallback}`,
    ].filter((note) => typeof note === "string");
    return entry(`--${name}${value === "" ? "" : ` ${value}`}`, notes.join("; "));
  });
  return `${section}:\n${lines.join("\n")}`;
}

function valueOf({ kind, value }: Flag): string {
  return value ?? (kind.type === "choice" ? kind.choices.join("|") : "");
}

/** A name and its explanation, wrapped and indented. */
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
