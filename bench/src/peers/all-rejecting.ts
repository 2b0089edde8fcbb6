import { humanAjv, plainAjv } from "../recovery/systems/ajv.ts";
import { mcpV1, mcpV2 } from "../recovery/systems/mcp.ts";
import { aiSdkCheck } from "./ai-sdk.ts";
import { contractOnJsonSchema, contractOnZod } from "./contract.ts";
import { agentToolNode } from "./langchain.ts";
import { type Rejecting, rejectingSystem } from "./rejecting.ts";

/** Everything that answers invalid calls, the contract first. */
export function allRejecting(): readonly Rejecting[] {
  return [
    contractOnZod,
    contractOnJsonSchema,
    aiSdkCheck,
    agentToolNode,
    rejectingSystem(mcpV1(), "MCP SDK v1: a request in memory"),
    rejectingSystem(mcpV2("zod"), "MCP SDK v2: a request in memory"),
    rejectingSystem(mcpV2("json-schema"), "MCP SDK v2: a request in memory, JSON Schema tool"),
    rejectingSystem(plainAjv, "ajv: errorsText"),
    rejectingSystem(humanAjv, "ajv-human-errors"),
  ];
}
