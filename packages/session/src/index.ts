// The public surface of @toolcontract/session, in reading order. Named exports only.

// The limits of a run
export type { SessionLimits, TargetLimits } from "./shared/index.ts";

// The context window (section 2 of the AI Agent Contract)
export { createContextGuard, estimateTokens } from "./context/index.ts";
export type { ContextGuard, Exceeded, GuardedTarget, TurnProjection } from "./context/index.ts";
export type { TokenUsage } from "./shared/index.ts";
