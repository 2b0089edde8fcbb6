// The gate in front of an SDK server in the same process.
export type { HighLevelServer, LowLevelServer, SdkServer, SdkTransport } from "./sdk-server.ts";
export {
  type HookOptions,
  type SharedGate,
  withContract,
  type WithContractOptions,
} from "./with-contract.ts";
