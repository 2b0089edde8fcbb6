export { callsIn, entriesIn } from "./calls-elsewhere.ts";
export { createHealth } from "./health.ts";
export { type Records, recordsIn } from "./records.ts";
export { type RunOfTool, runKey } from "./run-of-tool.ts";
export { type TracedCall, createSequences } from "./sequences.ts";
export { type Trace, type TraceServices, openTrace } from "./trace.ts";
