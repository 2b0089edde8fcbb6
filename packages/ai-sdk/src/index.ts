// The public surface of @toolcontract/ai-sdk. Named exports only.

export { withContract } from "./with-contract.ts";
export type { Guarded } from "./with-contract.ts";
export type { AdapterOptions, Escalate, WithContractOptions } from "./with-contract-options.ts";
export { answerOf, escalationsOf } from "./answer.ts";
export type { StepLike } from "./answer.ts";
export { turnsFromMessages } from "./turns-from-messages.ts";
