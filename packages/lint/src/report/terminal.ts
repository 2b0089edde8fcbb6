import { styleText } from "node:util";
import { oneLine } from "@toolcontract/explain/adapter";
import { RULES } from "../rules/index.ts";
import type { LintSeverity } from "../shared/index.ts";
import { type ReportedInput, type ReportedTool, percent, summaryOf } from "./report.ts";

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<LintSeverity, Style>> = {
  error: "red",
  warning: "yellow",
  info: "blue",
};
const WORDS: Readonly<Record<LintSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/** Writes a report for people, by tool, one line for each finding. */
export function terminalReport(inputs: readonly ReportedInput[], isColored: boolean): string {
  const paint = (style: Style, text: string): string =>
    isColored ? styleText(style, text, { validateStream: false }) : text;
  const lines = inputs.flatMap(({ title, tools }) => [
    paint("underline", oneLine(title, 200)),
    ...tools.flatMap((tool) => [
      headOf(tool, paint),
      ...linesOf(tool, paint),
      ...proofOf(tool, paint),
    ]),
    "",
  ]);
  return [...lines, summaryOf(inputs)].join("\n");
}

type Paint = (style: Style, text: string) => string;

function headOf({ tool, grade }: ReportedTool, paint: Paint): string {
  const style =
    grade.grade === "A" || grade.grade === "B" ? "green" : grade.grade === "F" ? "red" : "yellow";
  return `  ${paint("bold", oneLine(tool.name, 64))}  ${paint(style, grade.grade)} ${percent(grade)}`;
}

function linesOf({ findings }: ReportedTool, paint: Paint): readonly string[] {
  return findings.map(({ rule, severity, path, message, fix }) => {
    const word = paint(STYLES[severity], WORDS[severity].padEnd(7));
    const where = path === "" ? "" : `${oneLine(path, 120)}: `;
    const advice = fix === undefined || isGeneral(rule, fix) ? "" : `; ${oneLine(fix, 300)}`;
    return `    ${word}  ${where}${oneLine(message, 300)}${advice}  ${paint("dim", rule)}`;
  });
}

/** The most frequent mistake of each kind, and what a model reads about it. */
function proofOf({ proofs }: ReportedTool, paint: Paint): readonly string[] {
  const kinds = [...new Set(proofs.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const first = proofs.find((proof) => proof.kind === kind);
    if (!first) return [];
    const answer = first.text === "" ? "accepted, although it is wrong" : first.text;
    return [
      `    ${paint("cyan", "call")}     ${kind}: ${oneLine(JSON.stringify(first.arguments), 160)}`,
      ...answer.split("\n").map((line) => `             ${oneLine(line, 300)}`),
    ];
  });
}

/** Whether a fix is the advice of the rule, which `--why` prints. */
function isGeneral(name: string, fix: string): boolean {
  return RULES.some((rule) => rule.name === name && rule.fix === fix);
}
