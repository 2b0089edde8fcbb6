export { openAccounting } from "./accounting-file.ts";
export { checkOf } from "./check.ts";
export { eventLine, sdkWarningLine } from "./event-line.ts";
export { createOutput, type Output, type Result, type Stream } from "./output.ts";
export { createProgress } from "./progress.ts";
export { createStatus, type Status } from "./status.ts";
export { openTrace } from "./trace-file.ts";
export { secretsOf } from "./secrets.ts";
export { createSummary, type LostServers } from "./summary.ts";
