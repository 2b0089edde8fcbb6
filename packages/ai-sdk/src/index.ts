// The public surface of @toolcontract/ai-sdk. Named exports only.

export { withContract } from "./with-contract.ts";
export type { Guarded } from "./with-contract.ts";
export type { AdapterOptions, Escalate, WithContractOptions } from "./guard.ts";
export { answerOf, escalationsOf } from "./rejection-error.ts";
export type { StepLike } from "./rejection-error.ts";
export { turnsFromMessages } from "./attempts.ts";
