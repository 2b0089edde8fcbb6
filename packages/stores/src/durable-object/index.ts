// Attempts and limits in a Durable Object: @toolcontract/stores/durable-object.

export { type DurableObjectStorage } from "./storage.ts";
export { durableObjectLedger } from "./durable-object-ledger.ts";
export { durableObjectStore } from "./durable-object-store.ts";
