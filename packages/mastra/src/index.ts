// The public surface of @toolcontract/mastra. Named exports only.
export { withContract } from "./with-contract.ts";
export type { AgentParts, MastraOptions } from "./with-contract.ts";
