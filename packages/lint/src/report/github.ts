import { oneLine } from "@toolcontract/explain/adapter";
import type { LintSeverity } from "../shared/index.ts";
import { locate } from "./located.ts";
import { type ReportedInput, summaryOf } from "./report.ts";

const COMMANDS: Readonly<Record<LintSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

const MAX_LINE = 1_000;

/** Writes a report as commands of GitHub Actions, which become annotations of a pull request. */
export function githubReport(inputs: readonly ReportedInput[]): string {
  const lines = locate(inputs).map(({ finding, file, position }) => {
    const { rule, severity, tool, message, fix } = finding;
    const properties = [
      ...(file === undefined ? [] : [`file=${property(file)}`]),
      ...(position ? [`line=${position.line}`, `col=${position.column}`] : []),
      `title=${property(rule)}`,
    ];
    const text = `${tool}: ${message}${fix === undefined ? "" : `. Fix: ${fix}`}`;
    return `::${COMMANDS[severity]} ${properties.join(",")}::${data(text)}`;
  });
  return [...lines, data(summaryOf(inputs))].join("\n");
}

function data(text: string): string {
  const lines = text.split("\n").map((line) => oneLine(line, MAX_LINE));
  return lines.join("\n").replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
