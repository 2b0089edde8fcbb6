// Guardrails from Cedar policies: @toolcontract/guardrails/cedar.

export { cedarGuardrails } from "./policies/cedar/index.ts";
export type { CedarEntity, CedarEntityId, CedarOptions } from "./policies/cedar/index.ts";
