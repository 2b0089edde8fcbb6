import { pointerKeys } from "@toolcontract/explain/adapter";
import type { ServerAnswer } from "../ask/index.ts";
import type { LintFinding, LintSeverity, LintTool } from "../shared/index.ts";
import type { Proof, ToolGrade } from "../grade/index.ts";

/** One tool in a report. */
export interface ReportedTool {
  readonly tool: LintTool;
  /** JSON Pointer to the tool in the file. */
  readonly pointer: string;
  readonly grade: ToolGrade;
  readonly findings: readonly LintFinding[];
  readonly tokens: number;
  /** A call of each kind that models make wrong, with the answer of the server if it was asked; empty unless wanted. */
  readonly calls: readonly (Proof & { readonly today?: ServerAnswer })[];
  /** Whether the server was not asked because the tool says that it destroys things. */
  readonly isSpared: boolean;
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
export function allFindings(inputs: readonly ReportedInput[]): readonly LintFinding[] {
  return inputs.flatMap(({ tools }) => tools.flatMap(({ findings }) => findings));
}

/** How many findings of a severity there are. */
export function countOfSeverity(findings: readonly LintFinding[], severity: LintSeverity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Counts in words: `2 errors, 1 warning and 3 notes in 4 tools, about 812 tokens of every request`. */
export function summaryOf(inputs: readonly ReportedInput[]): string {
  const findings = allFindings(inputs);
  const tools = inputs.reduce((sum, input) => sum + input.tools.length, 0);
  const of = (severity: LintSeverity, word: string): string => {
    const count = countOfSeverity(findings, severity);
    return `${count} ${word}${count === 1 ? "" : "s"}`;
  };
  const tokens = inputs.flatMap((input) => input.tools).reduce((sum, one) => sum + one.tokens, 0);
  const counts = `${of("error", "error")}, ${of("warning", "warning")} and ${of("info", "note")}`;
  return `${counts} in ${tools} tool${tools === 1 ? "" : "s"}, ${inWords(tokens)} of every request`;
}

/** Such as `about 1,204 tokens`: they are estimated. */
export function inWords(tokens: number): string {
  return `about ${tokens.toLocaleString("en")} token${tokens === 1 ? "" : "s"}`;
}

/** What servers answered to the calls that their own schemas refuse; undefined if none was asked. */
export function askedOf(inputs: readonly ReportedInput[]): string | undefined {
  const tools = inputs.flatMap((input) => input.tools);
  const asked = tools.flatMap(({ calls }) => calls).filter(({ today }) => today !== undefined);
  const spared = tools.filter(({ isSpared }) => isSpared).length;
  if (asked.length + spared === 0) return undefined;
  const refused = asked.filter(({ today }) => today?.outcome === "refused");
  const naming = refused.filter(({ path, today }) =>
    today?.text.includes(pointerKeys(path)[0] ?? ""),
  );
  const count = (outcome: ServerAnswer["outcome"]): number =>
    asked.filter(({ today }) => today?.outcome === outcome).length;
  const notAsked =
    spared === 0 ? "" : `; ${spared} destructive tool${spared === 1 ? "" : "s"} not asked`;
  return `${asked.length} calls that the schemas refuse: ${refused.length} refused (${naming.length} of the answers name the field), ${count("accepted")} accepted, ${count("no answer")} without an answer${notAsked}`;
}

/** A share in percent. */
export function percent({ share }: ToolGrade): string {
  return `${Math.round(share * 100)} %`;
}
