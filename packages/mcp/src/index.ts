// The public surface of @toolcontract/mcp. Named exports only.

// In front of a server in this process
export { withContract } from "./in-process/index.ts";
export type { HookOptions, SharedGate, WithContractOptions } from "./in-process/index.ts";
export type {
  HighLevelServer,
  LowLevelServer,
  SdkServer,
  SdkTransport,
} from "./in-process/index.ts";

// The gate itself, for transports of one's own
export { createGate } from "./gate/index.ts";
export type { Gate } from "./gate/index.ts";
export type { GateMode, GateOptions, GateSettings } from "./gate/index.ts";
export type { Link, Ruling } from "./gate/index.ts";
export type { Message } from "./wire/index.ts";

// What a rejection tells machines
export { META_KEY } from "./gate/index.ts";
export type { MetaError, ValidationMeta } from "./gate/index.ts";
