// Guardrails as CEL expressions: @toolcontract/guardrails/cel.

export { celGuardrail } from "./policies/cel/index.ts";
export type { CelEvaluator, CelGuardrailOptions, CelProgram } from "./policies/cel/index.ts";
