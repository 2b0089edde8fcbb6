// Guardrails from configuration files: @toolcontract/guardrails/config.

export { guardrailsFrom } from "./guardrails-from.ts";
export type { GuardrailsConfig } from "./guardrails-from.ts";
export { policyFaults } from "./policies/index.ts";
export type {
  CedarConfig,
  FilePolicies,
  MissingPackage,
  PolicyFault,
  PolicyProblem,
  RuleConfig,
} from "./policies/index.ts";
