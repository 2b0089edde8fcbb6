export type {
  SqliteDatabase,
  SqliteParameter,
  SqliteStatement,
  SqliteValue,
} from "./sqlite-handles.ts";
export { sqliteStore } from "./sqlite-store.ts";
export { type SlotStoreOptions, slotStore } from "./slot-store.ts";
export type { Codec } from "./slot-rule.ts";
export { UncopyableStateError } from "./uncopyable-state-error.ts";
export { createLocks, type Locks } from "./locks.ts";
export { readOnlyCopy } from "./copy-plain-data.ts";
export type { ScopedStore, StateScope } from "./scoped-store.ts";
