// The table of cases that every adapter runs, and the function that runs them.
export { describeAdapter } from "./describe-adapter.ts";
export type { AdapterOptions } from "./run-case.ts";
export type { Capability } from "./capability.ts";
export type {
  CaseCall,
  CaseGuardrails,
  CaseOptions,
  CaseTool,
  CaseTurn,
  ConformanceCase,
  MadeGuardrails,
} from "./conformance-case.ts";
export type { AdapterHarness, CallReport, CreateHarness, Observers } from "./harness.ts";
export { watched, watchedOptions } from "./recording/index.ts";
export { outputOf } from "./output-of.ts";
