export { celGuardrail } from "./cel-guardrail.ts";
export type { CelGuardrailOptions } from "./cel-guardrail.ts";
export type { CelEvaluator, CelProgram } from "./cel-evaluator.ts";
