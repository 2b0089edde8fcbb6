import { visibleJson } from "@toolcontract/explain/adapter";
import { type ReportedInput, type ReportedTool, allFindings } from "./report.ts";

/** Writes a report as JSON: the findings, and each tool with its grade, its tokens and the calls that were asked for. */
export function jsonReport(inputs: readonly ReportedInput[]): string {
  const tools = inputs.flatMap((input) =>
    input.tools.map(({ tool, grade, tokens, calls }) => ({
      name: tool.name,
      grade: grade.grade,
      share: grade.share,
      tokens,
      ...(calls.length > 0 && { calls: calls.map(callJson) }),
    })),
  );
  return visibleJson({ findings: allFindings(inputs), tools }, 2);
}

function callJson({
  kind,
  path,
  arguments: args,
  text,
  today,
}: ReportedTool["calls"][number]): object {
  return { kind, path, arguments: args, contract: text, ...(today && { today }) };
}
