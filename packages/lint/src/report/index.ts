export { badge } from "./badge.ts";
export { githubReport } from "./github.ts";
export { jsonReport } from "./json.ts";
export { lostJson, lostMarkdown, lostTerminal } from "./lost-report.ts";
export { markdownReport } from "./markdown.ts";
export { type ReportedInput, countOfSeverity, allFindings } from "./report.ts";
export { sarifReport } from "./sarif.ts";
export { terminalReport } from "./terminal.ts";
