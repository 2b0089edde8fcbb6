// The public API of @toolcontract/ai-sdk.

export { withContract } from "./with-contract.ts";
export type { Guarded } from "./with-contract.ts";
export type { AdapterOptions, Escalate, PrepareStep, WithContractOptions } from "./guard.ts";
export { guardModel } from "./guard-model.ts";
export type { GuardModelOptions } from "./guard-model.ts";
export type { GuardedOutput } from "./output.ts";
export type { OutputOptions } from "./output-options.ts";
export { asksIn } from "./approvals.ts";
export type { PendingAsk } from "./approvals.ts";
export { answerOf, escalationsOf } from "./rejection-error.ts";
export type { StepLike } from "./rejection-error.ts";
export { turnsFromMessages } from "./attempts.ts";
export { traceRefusals } from "./trace-refusals.ts";
export type { ContextApi, RefusalTracing } from "./trace-refusals.ts";
