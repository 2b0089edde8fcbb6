export type { EntryOptions } from "./entry-names.ts";
export { type StoredValue, type VersionedEngine, createVersionedStore } from "./versioned-store.ts";
export { type LocalEngine, createLocalStore } from "./local-store.ts";
export { type FallbackOptions, withFallback } from "./with-fallback.ts";
export {
  type AttemptsDatabase,
  type AttemptsStatement,
  type SqliteAttemptsOptions,
  sqliteAttempts,
} from "./sqlite-attempts.ts";
