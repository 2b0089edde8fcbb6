import { type ReportedInput, findingsOf } from "./report.ts";

/** Writes a report as JSON: the findings, and each tool with its grade. */
export function jsonReport(inputs: readonly ReportedInput[]): string {
  const tools = inputs.flatMap((input) =>
    input.tools.map(({ tool, grade }) => ({ name: tool.name, grade: grade.grade })),
  );
  return JSON.stringify({ findings: findingsOf(inputs), tools }, null, 2);
}
