export {
  type CedarConfig,
  type FilePolicies,
  type PolicyFault,
  type RuleConfig,
  guardrailsOf,
  policyFaults,
} from "./file-policies.ts";
export type { MissingPackage } from "./load-engine.ts";
export type { PolicyProblem } from "./policy-syntax-error.ts";
