import { withContract } from "@toolcontract/mcp";
import { readContract } from "../reading/read-contract.ts";
import { mcpV1, mcpV2 } from "./mcp.ts";
import type { SchemaKind, System } from "./system.ts";

const QUIET = { logger: () => undefined } as const;

/** A server of the first SDK with the contract in front of it. */
export function mcpV1WithContract(): System {
  const system = mcpV1((server) => withContract(server, QUIET));
  return withOwnTexts(system, "Toolcontract standard, MCP SDK v1");
}

/** A server of the second SDK with the contract in front of it. */
export function mcpV2WithContract(schema: SchemaKind): System {
  const system = mcpV2(schema, (server) => withContract(server as never, QUIET));
  return withOwnTexts(system, "Toolcontract standard, MCP SDK v2");
}

function withOwnTexts(system: System, name: string): System {
  const packages = ["@toolcontract/mcp", ...system.packages];
  return { ...system, name, packages, read: readContract };
}
