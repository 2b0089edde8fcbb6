// The gate in front of an SDK server in the same process.
export type { HighLevelServer, LowLevelServer, SdkServer, SdkTransport } from "./sdk-server.ts";
export { keyInTrace } from "./link-keys.ts";
export { createTransportLinks } from "./transport-links.ts";
export {
  type HookOptions,
  type SharedGate,
  withContract,
  type WithContractOptions,
} from "./with-contract.ts";
