import { RULES } from "../rules/index.ts";

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
Anthropic or Gemini, or JSON Schemas.

Options:
  --format terminal|json  how the report is written; terminal by default
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
  ].join("\n");
}
