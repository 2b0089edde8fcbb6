import { oneLine } from "@toolcontract/explain/adapter";
import type { LintSeverity } from "../shared/index.ts";
import {
  askedOf,
  inWords,
  percent,
  type ReportedInput,
  type ReportedTool,
  summaryOf,
} from "./report.ts";

const WORDS: Readonly<Record<LintSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/** Writes a report as Markdown, for a comment or a page. */
export function markdownReport(inputs: readonly ReportedInput[]): string {
  const parts = inputs.flatMap(({ title, tools }) => [
    `## ${cell(title)}`,
    ...tools.flatMap(({ tool, grade, tokens, findings, calls }) => [
      `### ${cell(tool.name)}: ${grade.grade} (${percent(grade)}), ${inWords(tokens)}`,
      findings.length === 0 ? "Nothing was found." : table(FINDINGS, findings.map(rowOf)),
      ...(calls.length === 0 ? [] : [table(CALLS, calls.map(callRow))]),
    ]),
  ]);
  const sums = [askedOf(inputs), summaryOf(inputs)].flatMap((sum) => (sum ? [`${sum}.`] : []));
  return [...parts, ...sums].join("\n\n");
}

type Row = readonly string[];
type CallInReport = ReportedTool["calls"][number];

function rowOf(finding: ReportedInput["tools"][number]["findings"][number]): Row {
  const { rule, severity, path, message, fix = "" } = finding;
  return [WORDS[severity], `\`${rule}\``, cell(path), cell(message), cell(fix)];
}

const FINDINGS: Row = ["", "rule", "where", "what is wrong", "what to do"];
const CALLS: Row = ["call", "arguments", "today", "with the contract"];

function callRow({ kind, path, arguments: args, text, today }: CallInReport): Row {
  const answer = today ? `${today.outcome}: ${cell(today.text)}` : "not asked";
  const contract = text === "" ? "accepted, although it is wrong" : cell(text);
  return [`${kind}, ${cell(path)}`, cell(JSON.stringify(args)), answer, contract];
}

/** Writes a table. */
export function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Escapes what Markdown and HTML would read as their own. */
export function cell(text: string): string {
  return oneLine(text, 400)
    .replaceAll(/[\\|`*_[\]<>#]/g, (sign) => `\\${sign}`)
    .replaceAll("\\<", "&lt;");
}
