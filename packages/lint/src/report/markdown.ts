import { oneLine } from "@toolcontract/explain/adapter";
import type { LintSeverity } from "../shared/index.ts";
import { percent, type ReportedInput, summaryOf } from "./report.ts";

const WORDS: Readonly<Record<LintSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/** Writes a report as Markdown, for a comment or a page. */
export function markdownReport(inputs: readonly ReportedInput[]): string {
  const parts = inputs.flatMap(({ title, tools }) => [
    `## ${cell(title)}`,
    ...tools.flatMap(({ tool, grade, findings }) => [
      `### ${cell(tool.name)}: ${grade.grade} (${percent(grade)})`,
      findings.length === 0 ? "Nothing was found." : table(findings.map(rowOf)),
    ]),
  ]);
  return [...parts, `${summaryOf(inputs)}.`].join("\n\n");
}

type Row = readonly string[];

function rowOf(finding: ReportedInput["tools"][number]["findings"][number]): Row {
  const { rule, severity, path, message, fix = "" } = finding;
  return [WORDS[severity], `\`${rule}\``, cell(path), cell(message), cell(fix)];
}

function table(rows: readonly Row[]): string {
  return [
    ["", "rule", "where", "what is wrong", "what to do"],
    ["---", "---", "---", "---", "---"],
    ...rows,
  ]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** Escapes what Markdown and HTML would read as their own. */
function cell(text: string): string {
  return oneLine(text, 400)
    .replaceAll(/[\\|`*_[\]<>#]/g, (sign) => `\\${sign}`)
    .replaceAll("\\<", "&lt;");
}
