export type { HighLevelServer, LowLevelServer, SdkServer, SdkTransport } from "./sdk-server.ts";
export {
  type HookOptions,
  type SharedGate,
  type WithContractOptions,
  withContract,
} from "./with-contract.ts";
