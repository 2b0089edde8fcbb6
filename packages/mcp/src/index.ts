// The public surface of @toolcontract/mcp. Named exports only.

// In front of a server in this process
export { withContract } from "./in-process/with-contract.ts";
export type {
  HookOptions,
  SharedGate,
  WithContractOptions,
} from "./in-process/with-contract-options.ts";
export type {
  HighLevelServer,
  LowLevelServer,
  SdkServer,
  SdkTransport,
} from "./in-process/sdk-server.ts";

// The gate itself, for transports of one's own
export { createGate } from "./gate/gate.ts";
export type { Gate } from "./gate/gate.ts";
export type { GateMode, GateOptions, GateSettings } from "./gate/gate-options.ts";
export type { Link, Message, Ruling } from "./gate/link.ts";

// What a rejection tells machines
export { META_KEY } from "./gate/validation-meta.ts";
export type { MetaError, ValidationMeta } from "./gate/validation-meta.ts";
