export { cedarGuardrails } from "./cedar-guardrails.ts";
export type { CedarEntity, CedarEntityId, CedarOptions } from "./cedar-guardrails.ts";
