export { type FailureOptions, failureReport } from "./failure-report.ts";
export { type NormalizedReport, normalizeReport } from "./normalize-report.ts";
export { reportFromText } from "./report-from-text.ts";
export type { ReportOptions } from "./report-options.ts";
export { contentFieldOf, isReportName, type ReportTool, reportTool } from "./report-tool.ts";
export { type ReportValidator, reportValidator } from "./report-validator.ts";
