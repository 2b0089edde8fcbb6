import type { LintFinding, LintSeverity, LintTool } from "../shared/index.ts";
import type { Proof, ToolGrade } from "../grade/index.ts";

/** One tool in a report. */
export interface ReportedTool {
  readonly tool: LintTool;
  /** JSON Pointer to the tool in the file. */
  readonly pointer: string;
  readonly grade: ToolGrade;
  readonly findings: readonly LintFinding[];
  /** The calls that models make wrong; empty if they are not asked for. */
  readonly proofs: readonly Proof[];
}

/** One input in a report. */
export interface ReportedInput {
  /** Its file, command, address or server, as people read it. */
  readonly title: string;
  /** Its file, relative to the working directory; undefined for a server. */
  readonly file: string | undefined;
  /** The text of the file, if it is JSON. */
  readonly text: string | undefined;
  readonly tools: readonly ReportedTool[];
}

/** All findings of a report. */
export function findingsOf(inputs: readonly ReportedInput[]): readonly LintFinding[] {
  return inputs.flatMap(({ tools }) => tools.flatMap(({ findings }) => findings));
}

/** How many findings of a severity there are. */
export function countOf(findings: readonly LintFinding[], severity: LintSeverity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Counts in words: `2 errors, 1 warning and 3 notes in 4 tools`. */
export function summaryOf(inputs: readonly ReportedInput[]): string {
  const findings = findingsOf(inputs);
  const tools = inputs.reduce((sum, input) => sum + input.tools.length, 0);
  const of = (severity: LintSeverity, word: string): string => {
    const count = countOf(findings, severity);
    return `${count} ${word}${count === 1 ? "" : "s"}`;
  };
  return `${of("error", "error")}, ${of("warning", "warning")} and ${of("info", "note")} in ${tools} tool${tools === 1 ? "" : "s"}`;
}

/** A share in percent. */
export function percent({ share }: ToolGrade): string {
  return `${Math.round(share * 100)} %`;
}
