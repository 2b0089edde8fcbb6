// The contract applied to MCP messages, on any transport.
export { META_KEY, type MetaError, type ValidationMeta } from "./answer.ts";
export { createGate, type Gate, gateOf } from "./gate.ts";
export { createFairMap, ownedKey } from "./fair-map.ts";
export type { LostRequest } from "./route.ts";
export type { LimitedCall, Link, Ruling } from "./link.ts";
export type { UnreadMessage, UnvalidatedMessage } from "./unread-message.ts";
export type { UnreadCounts, UnvalidatedCount, UnvalidatedReason } from "./unvalidated.ts";
export {
  createGateServices,
  type GateMode,
  type GateOptions,
  type GateSettings,
  type InvalidResultCounts,
} from "./options.ts";
