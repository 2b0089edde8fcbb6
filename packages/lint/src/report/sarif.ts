import { visibleJson } from "@toolcontract/explain/adapter";
import { rulePage } from "../pages/index.ts";
import { RULES } from "../rules/index.ts";
import type { LintSeverity } from "../shared/index.ts";
import { locate, type LocatedFinding } from "./located.ts";
import type { ReportedInput } from "./report.ts";

const LEVELS: Readonly<Record<LintSeverity, string>> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/** Writes a report as SARIF 2.1.0, which code scanning reads. */
export function sarifReport(inputs: readonly ReportedInput[]): string {
  const rules = RULES.map(({ name, severity, about, fix }) => ({
    id: name,
    shortDescription: { text: about },
    help: { text: `Fix: ${fix}.`, markdown: rulePage(name) },
    defaultConfiguration: { level: LEVELS[severity] },
  }));
  const driver = { name: "toolcontract lint", rules };
  const run = {
    tool: { driver },
    columnKind: "utf16CodeUnits",
    results: locate(inputs).map(sarifResult),
  };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [run],
  };
  return visibleJson(log, 2);
}

function sarifResult({ finding, file, position }: LocatedFinding): object {
  const { rule, severity, tool, path, message, fix } = finding;
  const physicalLocation = file !== undefined && {
    artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
    ...(position && { region: { startLine: position.line, startColumn: position.column } }),
  };
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ name }) => name === rule),
    level: LEVELS[severity],
    message: { text: `${tool}: ${message}${fix === undefined ? "" : `. Fix: ${fix}`}` },
    locations: [
      {
        ...(physicalLocation && { physicalLocation }),
        logicalLocations: [{ name: tool, fullyQualifiedName: `${tool}${path}`, kind: "member" }],
      },
    ],
  };
}
