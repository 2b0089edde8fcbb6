import { EXAMPLES, RULES } from "../rules/index.ts";

/** What `toolcontract lint --help` prints. */
export function helpText(): string {
  const width = Math.max(...RULES.map(({ name }) => name.length));
  const rules = RULES.map(
    ({ name, severity, about }) => `  ${name.padEnd(width)}  ${severity}: ${about}`,
  );
  return `toolcontract lint <file>… [options]
toolcontract lint [options] -- <command of an MCP server> [arguments]
toolcontract lint [options] --url <address of an MCP server>

Finds the mistakes of tools before a model makes them. A file is JSON: the tools of an MCP server (tools/list), of OpenAI,
Anthropic or Gemini, JSON Schemas, or the servers of an MCP client (.mcp.json, claude_desktop_config.json), all of which are
started. A JavaScript or TypeScript module exports tools of the AI SDK or LangChain, or schemas of zod.

Options:
  --format <format>       terminal (by default), json, sarif, markdown or github
  --fix                   corrects JSON files where that does no harm
  --badge <file>          writes an SVG with the grade of all tools together
  --header <name: value>  a header for the server of --url; repeatable
  --max-warnings <n>      fails if there are more warnings
  --rule <name>=<level>   off, error, warning or info; repeatable
  --proof                 shows a call of each kind that models make wrong, and what they would read
  --why <rule>            explains a rule
  --help                  prints this help

Rules:
${rules.join("\n")}

Exit codes: 0 nothing is certainly wrong, 1 an error was found or too many warnings, 2 wrong usage or an input that cannot
be read.`;
}

/** What `--why` prints of a rule. */
export function whyText(name: string): string {
  const rule = RULES.find((one) => one.name === name);
  if (!rule) return "";
  const { severity, about, fix, numbers } = rule;
  return [
    `${name} (${severity})`,
    "",
    about,
    ...(numbers === undefined ? [] : [numbers]),
    "",
    `Fix: ${fix}.`,
    ...exampleOf(name),
  ].join("\n");
}

function exampleOf(name: string): readonly string[] {
  const example = EXAMPLES[name];
  if (!example) return [];
  const shown = (value: unknown): string => {
    const text = JSON.stringify(value, null, 2);
    return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  };
  return ["", "Wrong:", shown(example.wrong), "", "Right:", shown(example.right)];
}

const MOST_SHOWN = 600;
