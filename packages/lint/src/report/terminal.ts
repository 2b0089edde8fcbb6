import { styleText } from "node:util";
import { oneLine } from "@toolcontract/explain/adapter";
import { RULES } from "../rules/index.ts";
import type { LintSeverity } from "../shared/index.ts";
import {
  type ReportedInput,
  type ReportedTool,
  askedOf,
  inWords,
  percent,
  summaryOf,
} from "./report.ts";

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
      ...linesOfFindings(tool, paint, foldedRules(tools)),
      ...linesOfCalls(tool, paint),
    ]),
    ...linesOfFolded(tools, paint),
    "",
  ]);
  const asked = askedOf(inputs);
  return [...lines, ...(asked === undefined ? [] : [asked]), summaryOf(inputs), GRADES].join("\n");
}

const GRADES =
  "A grade is the share of mistaken calls, as models really make them, that come back with the fix named.";
/** A note of more tools than this is written once for all of them. */
const MOST_REPEATED = 3;

/** The rules whose notes repeat in a list, in the order of the list. */
function foldedRules(tools: readonly ReportedTool[]): ReadonlyMap<string, readonly string[]> {
  const byRule = new Map<string, readonly string[]>();
  for (const { tool, findings } of tools)
    for (const rule of new Set(
      findings.filter(({ severity }) => severity === "info").map((one) => one.rule),
    ))
      byRule.set(rule, [...(byRule.get(rule) ?? []), tool.name]);
  return new Map([...byRule].filter(([, names]) => names.length > MOST_REPEATED));
}

function linesOfFolded(tools: readonly ReportedTool[], paint: Paint): readonly string[] {
  return [...foldedRules(tools)].map(([rule, names]) => {
    const word = paint(STYLES.info, WORDS.info.padEnd(7));
    const shown = names.slice(0, 2).map((name) => oneLine(name, 64));
    const about = RULES.find(({ name }) => name === rule)?.about ?? "";
    return `  ${word}  in ${names.length} tools (${shown.join(", ")} and ${names.length - 2} more): ${about}  ${paint("dim", rule)}`;
  });
}

type Paint = (style: Style, text: string) => string;

function headOf({ tool, grade, tokens }: ReportedTool, paint: Paint): string {
  const style =
    grade.grade === "A" || grade.grade === "B" ? "green" : grade.grade === "F" ? "red" : "yellow";
  return `  ${paint("bold", oneLine(tool.name, 64))}  ${paint(style, grade.grade)} ${percent(grade)}, ${inWords(tokens)}`;
}

function linesOfFindings(
  { findings }: ReportedTool,
  paint: Paint,
  folded: ReadonlyMap<string, unknown>,
): readonly string[] {
  const own = findings.filter(({ rule, severity }) => severity !== "info" || !folded.has(rule));
  return own.map(({ rule, severity, path, message, fix }) => {
    const word = paint(STYLES[severity], WORDS[severity].padEnd(7));
    const where = path === "" ? "" : `${oneLine(path, 120)}: `;
    const advice = fix === undefined || isGeneral(rule, fix) ? "" : `; ${oneLine(fix, 300)}`;
    return `    ${word}  ${where}${oneLine(message, 300)}${advice}  ${paint("dim", rule)}`;
  });
}

const INDENT = " ".repeat(13);
const MOST_LINES = 12;

/** The calls that models make wrong, and what they read about them: from the server, if it was asked, and from the contract. */
function linesOfCalls({ calls, isSpared }: ReportedTool, paint: Paint): readonly string[] {
  if (isSpared) return [`${INDENT}not asked: the tool says that it is destructive`];
  return calls.flatMap(({ kind, path, arguments: args, text, today }) => {
    const contract = shownLines(text === "" ? "accepted, although it is wrong" : text);
    const head = `    ${paint("cyan", "call")}     ${kind}, ${oneLine(path, 64)}: ${oneLine(JSON.stringify(args), 160)}`;
    if (!today) return [head, ...contract.map((line) => INDENT + line)];
    const { outcome } = today;
    return [
      head,
      `${INDENT}today: ${outcome === "accepted" ? paint("red", "accepted") : outcome}`,
      ...shownLines(today.text).map((line) => `${INDENT}  ${line}`),
      `${INDENT}with the contract:`,
      ...contract.map((line) => `${INDENT}  ${line}`),
    ];
  });
}

function shownLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => oneLine(line, 300));
  const rest = lines.length - MOST_LINES;
  return rest > 1 ? [...lines.slice(0, MOST_LINES), `… ${rest} more lines`] : lines;
}

/** Whether a fix is the advice of the rule, which `--why` prints. */
function isGeneral(name: string, fix: string): boolean {
  return RULES.some((rule) => rule.name === name && rule.fix === fix);
}
