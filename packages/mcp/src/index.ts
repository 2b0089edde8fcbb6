// The public surface of @toolcontract/mcp. Named exports only.

// In front of a server in the same process
export { withContract } from "./in-process/index.ts";
export type {
  HighLevelServer,
  HookOptions,
  LowLevelServer,
  SdkServer,
  SdkTransport,
  SharedGate,
  WithContractOptions,
} from "./in-process/index.ts";

// Around a client
export { gateTransport, guardClient } from "./client/index.ts";
export type { GuardClientOptions, ToolClient } from "./client/index.ts";
export type { LimitCounts, ToolLimits } from "./limits/index.ts";

// The gate itself, for other transports
export { createGate, META_KEY } from "./gate/index.ts";
export type {
  Gate,
  GateMode,
  GateOptions,
  GateSettings,
  LimitedCall,
  Link,
  LostRequest,
  MetaError,
  Ruling,
  UnreadCounts,
  UnreadMessage,
  InvalidResultCounts,
  UnvalidatedCount,
  UnvalidatedMessage,
  UnvalidatedReason,
  ValidationMeta,
} from "./gate/index.ts";
export type { LostCall, Message } from "./wire/index.ts";
