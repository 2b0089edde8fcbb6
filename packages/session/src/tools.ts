// What limits tool calls alone, for hosts that start often: @toolcontract/session/tools. Its names may change between minors.

export {
  checkQueues,
  createQueues,
  failureReason,
  holdSlot,
  iterateWithTimeout,
  truncateText,
  truncateTexts,
  withTimeout,
} from "./tools/index.ts";
export type { HeldSlot, TimeLimit, TruncatedText, TruncatedTexts } from "./tools/index.ts";
export { TIMEOUT, ToolFailed, toolFailed } from "./shared/index.ts";
export type {
  QueueConfig,
  Queues,
  SessionEvent,
  SessionLimits,
  ToolEntry,
  TraceIds,
} from "./shared/index.ts";
export { toolEntry } from "./accounting/index.ts";
export type { ToolFacts } from "./accounting/index.ts";
