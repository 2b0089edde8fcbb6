export {
  createToolLimiter,
  type LimitCounts,
  TOOL_LIMITS,
  type ToolLimiter,
  type ToolLimits,
} from "./tool-limits.ts";
export { textsOf, truncateResult } from "./truncate-result.ts";
