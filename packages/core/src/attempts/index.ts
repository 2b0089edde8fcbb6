export {
  type AttemptScope,
  type CountAttemptsOptions,
  UNKNOWN_TOOL,
  countAttempts,
  isToolClosed,
} from "./count-attempts.ts";
export type { ModelTurn, TurnCall, TurnResult } from "./model-turn.ts";
export { type AttemptCount, NO_ATTEMPTS } from "./settle-turn.ts";
export {
  type AttemptStatus,
  type RetryTracker,
  type RetryTrackerOptions,
  type Tracker,
  createRetryTracker,
  createTracker,
} from "./retry-tracker.ts";
export type { AttemptKey } from "./store-questions.ts";
export { type AttemptState, type TrackedCall, type TrackedFailure } from "./attempt-state.ts";
export {
  type AttemptChange,
  type AttemptStore,
  type AttemptUpdate,
  STORE_WANTED,
  type StoreOutage,
  isStore,
  stateOf,
  updateOf,
} from "./attempt-store.ts";
export { readState, writeState } from "./stored-state.ts";
export { type MemoryStore, type MemoryStoreOptions, createMemoryStore } from "./memory-store.ts";
export { type KeyedQueue, createKeyedQueue } from "./keyed-queue.ts";
export { toAttemptErrors } from "./history.ts";
export { type ResultMarker, type ResultStatus, readResultMarker } from "./result-marker.ts";
export {
  type CountedFailure,
  type AttemptLimits,
  type Standing,
  type Tally,
  historyTally,
  limitsOf,
  TrackerTally,
} from "./tally.ts";
export { hashArguments, hashCall, hashWhole } from "./arguments-hash.ts";
export { boundedStore } from "./bounded-store.ts";
export { type StoreResult, timedStore } from "./timed-store.ts";
