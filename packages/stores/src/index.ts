// The public API of @toolcontract/stores: attempts on an engine of your own, and what a call does while one fails.

export { createLocalStore, createVersionedStore } from "./engines/index.ts";
export type { EntryOptions, LocalEngine, StoredValue, VersionedEngine } from "./engines/index.ts";
export { withFallback } from "./fallback/index.ts";
export type { FallbackOptions } from "./fallback/index.ts";
