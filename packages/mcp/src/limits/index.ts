export { type CallClock, type CallClocks, createCallClocks } from "./call-clocks.ts";
export {
  createToolLimiter,
  type LimitCounts,
  TOOL_LIMITS,
  type ToolLimiter,
  type ToolLimits,
} from "./tool-limits.ts";
export { resultTexts, truncateResult } from "./truncate-result.ts";
