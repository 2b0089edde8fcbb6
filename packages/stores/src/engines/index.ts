export { type EntryOptions, entryNaming } from "./entry-names.ts";
export { type StoredValue, type VersionedEngine, createVersionedStore } from "./versioned-store.ts";
export { type LocalEngine, createLocalStore } from "./local-store.ts";
