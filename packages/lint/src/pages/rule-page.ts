import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import { type RuleExample, EXAMPLES, RULES, documentOf } from "../rules/index.ts";
import type { LintRule } from "../shared/index.ts";

/** How reports call a severity. */
const WORDS = { error: "error", warning: "warning", info: "note" } as const;
const WHAT = { field: "A field", list: "A list", tool: "A tool" } as const;

/** The page of a rule, in Markdown: what is wrong, a program that finds it, and the same without the mistake. */
export function rulePage(name: string): string {
  const rule = RULES.find((one) => one.name === name);
  const example = EXAMPLES[name];
  if (!rule || !example) return "";
  const { severity, about, fix, numbers, details } = rule;
  return `# ${name}

${about}${numbers === undefined ? "" : ` ${numbers}`}

It is reported as ${severity === "error" ? "an" : "a"} ${WORDS[severity]}.

## What is reported

${fence("ts", programOf(rule, example))}

It prints:

${fence("text", outputOfExample(rule, example))}

## What to do

${fix.charAt(0).toUpperCase()}${fix.slice(1)}. ${WHAT[example.of]} without the mistake:

${fence("json", JSON.stringify(example.right, null, 2))}

${details === undefined ? "" : `${details()}\n\n`}If it is not a mistake in your tools, turn the rule off with \`--rule ${name}=off\`, or for everybody in \`.agent/config.yml\`:

${fence("yaml", `lint:\n  rules: { ${name}: off }`)}
`;
}

/** The rows of the table of all rules, without its head. */
export function ruleRows(): readonly (readonly string[])[] {
  return RULES.map(({ name, severity, about, fix }) =>
    [`[\`${name}\`](lint/${name}.md)`, WORDS[severity], about, fix].map((cell) =>
      cell.replaceAll("|", "\\|"),
    ),
  );
}

function programOf({ name }: LintRule, example: RuleExample): string {
  const { text, code } = example.spelt ?? { text: "", code: "" };
  const literal = literalOf(documentOf(example, example.wrong));
  const shown = text === "" ? literal : literal.replace(JSON.stringify(text), () => code);
  return `import { lintTools, readTools } from "@toolcontract/lint";

const tools = readTools(${shown});
for (const { rule, tool, path, message } of lintTools(tools).findings)
  if (rule === "${name}") console.log(\`\${tool}\${path}: \${message}\`);`;
}

/** What the program prints. */
function outputOfExample({ name }: LintRule, example: RuleExample): string {
  return lintTools(readTools(documentOf(example, example.wrong)))
    .findings.filter(({ rule }) => rule === name)
    .map(({ tool, path, message }) => `${tool}${path}: ${message}`)
    .join("\n");
}

/** JSON as TypeScript writes it. */
function literalOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
