export {
  type ContextGuard,
  type Exceeded,
  type TurnProjection,
  createContextGuard,
} from "./context-guard.ts";
export { estimateTokens } from "./estimate-tokens.ts";
export { type GuardedTarget, defaultBuffer } from "./target-limits.ts";
