export {
  type AttemptCount,
  type AttemptScope,
  type CountAttemptsOptions,
  type ModelTurn,
  type TurnCall,
  type TurnResult,
  UNKNOWN_TOOL,
  countAttempts,
  isToolClosed,
} from "./count-attempts.ts";
export {
  type AttemptKey,
  type AttemptStatus,
  type RetryTracker,
  type RetryTrackerOptions,
  type Tracker,
  createRetryTracker,
  createTracker,
} from "./retry-tracker.ts";
export type { AttemptState, TrackedCall, TrackedFailure } from "./attempt-state.ts";
export { type AttemptStore, type MemoryStoreOptions, createMemoryStore } from "./memory-store.ts";
export { appendAttempt, findRepeat, toAttemptErrors } from "./history.ts";
export { type ResultMarker, type ResultStatus, readResultMarker } from "./result-marker.ts";
export { hashCall } from "./arguments-hash.ts";
