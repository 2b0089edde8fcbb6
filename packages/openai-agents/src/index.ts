// The public surface of @toolcontract/openai-agents. Named exports only.
export { tool } from "./tool.ts";
export { withContract } from "./with-contract.ts";
export type { AnyAgent, AgentsOptions, Guarded } from "./with-contract.ts";
