export { type LlmFacts, type ToolFacts, llmEntry, toolEntry } from "./entries.ts";
export { type ExitCode, exitCodeOf } from "./exit-code.ts";
export { contextWindowOf, priceOf } from "./price.ts";
export { withTrace } from "./trace.ts";
