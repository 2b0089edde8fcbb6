export { jsonReport } from "./json.ts";
export { type ReportedInput, countOf, findingsOf } from "./report.ts";
export { terminalReport } from "./terminal.ts";
