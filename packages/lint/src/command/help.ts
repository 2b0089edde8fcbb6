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
Anthropic or Gemini, JSON Schemas, or the servers of an MCP client (.mcp.json, claude_desktop_config.json), all of which are
started, with PATH, HOME and the like of your environment and what the file sets; \${NAME} in it, in an address too, is
filled in from all of yours. A JavaScript or TypeScript module, which is run, exports tools of the AI SDK or LangChain, or
schemas of zod. A command after -- gets your whole environment.

Options:
  --format <format>       terminal (by default), json, sarif, markdown or github
  --fix                   corrects JSON files where that does no harm
  --badge <file>          writes an SVG with the grade of all tools together
  --header <name: value>  a header for the server of --url; repeatable
  --max-warnings <n>      fails if there are more warnings
  --rule <name>=<level>   off, error, warning or info; repeatable
  --for <providers>       openai, anthropic, gemini, bedrock, mcp: for whom provider-breaks looks, separated by commas;
                          also what most clients take out before they send a tool
  --proof                 shows a call of each kind that models make wrong, and what they would read
  --ask                   sends a running server those of them that its own schemas refuse, and shows its answers beside
                          ours; tools that say they are destructive are left alone
  --calls <log>           in place of the report: which fields models get wrong most, by the JSON log of a contract, whether
                          they recovered, and what to change; the most lost calls first
  --why <rule>            prints the page of a rule
  --help                  prints this help

Rules:
${rules.join("\n")}

Exit codes: 0 nothing is certainly wrong, 1 an error was found or too many warnings, 2 wrong usage or an input that cannot
be read.`;
}
