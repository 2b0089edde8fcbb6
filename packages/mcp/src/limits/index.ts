export {
  createToolLimiter,
  type LimitCounts,
  TOOL_LIMITS,
  type ToolLimiter,
  type ToolLimits,
} from "./tool-limits.ts";
export { resultTexts, truncateResult } from "./truncate-result.ts";
