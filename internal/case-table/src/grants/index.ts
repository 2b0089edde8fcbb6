// Calls that a guardrail asks a person about, for adapters that hand a framework's own approval to guardrails.
export { describeGrants } from "./describe-grants.ts";
export type { AskedCall, AskedOf, GrantHost, GrantsKit } from "./grants-kit.ts";
