import { registerErrorCodes } from "@toolcontract/core/adapter";

/**
 * The error codes of guardrails and outcomes.
 *
 * @example
 * ```ts
 * GUARDRAIL_CODES["GRD-001"]; // "Call not allowed"
 * ```
 */
export const GUARDRAIL_CODES = {
  "GRD-001": "Call not allowed",
  "GRD-002": "Result not allowed",
  "GRD-003": "Not possible without a change from outside",
  "GRD-004": "Guardrail failed",
  "GRD-005": "Tool failed",
  "GRD-006": "Outcome unknown",
  "GRD-007": "State could not be committed",
  "GRD-008": "Limit reached",
} as const;

declare module "@toolcontract/core" {
  interface ErrorCodeMap extends Readonly<Record<keyof typeof GUARDRAIL_CODES, string>> {}
}

/** Makes the codes known to core; more than once changes nothing. */
export function registerGuardrailCodes(): void {
  registerErrorCodes({ prefix: "GRD", codes: GUARDRAIL_CODES, page: "docs/errors/{code}.md" });
}
