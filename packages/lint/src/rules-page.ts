import { EXAMPLES, RULES } from "./rules/index.ts";

const OF = { field: "A field", list: "A list", tool: "A tool" } as const;
const MOST_SHOWN = 900;

/** The page of all rules, each with an example that is wrong and the same without the mistake. */
export function rulesPage(): string {
  const sections = RULES.map(({ name, severity, about, fix, numbers }) => {
    const example = EXAMPLES[name];
    return [
      `## ${name}`,
      `${severity === "info" ? "Note" : severity === "error" ? "Error" : "Warning"}. ${about}${numbers === undefined ? "" : ` ${numbers}`}`,
      ...(example
        ? [
            `${OF[example.of]} that is reported:`,
            fence(example.wrong),
            `What to do: ${fix}. Without the mistake:`,
            fence(example.right),
          ]
        : []),
    ].join("\n\n");
  });
  return `# Rules of the linter

Each rule of [\`toolcontract lint\`](lint.md), with a schema that it reports and the same one without the mistake. \`toolcontract
lint --why <rule>\` prints the same.

${sections.join("\n\n")}
`;
}

function fence(value: unknown): string {
  // Not even a made-up key.
  const text = JSON.stringify(value, null, 2).replaceAll(/sk-ant-\w+/g, "sk-ant-…");
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return `\`\`\`${text.length > MOST_SHOWN ? "txt" : "json"}\n${shown}\n\`\`\``;
}
