export { createHealth } from "./health.ts";
export { type CallIdentity, type RunOfTool, createSequences, keyOf } from "./sequences.ts";
export { type Trace, type TraceServices, openTrace } from "./trace.ts";
