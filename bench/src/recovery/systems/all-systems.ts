import { aiSdk } from "./ai-sdk.ts";
import { humanAjv, plainAjv } from "./ajv.ts";
import { coreContract } from "./core.ts";
import { langchainAgent, toolNode } from "./langchain.ts";
import { mastra } from "./mastra.ts";
import { mcpV1, mcpV2 } from "./mcp.ts";
import type { SchemaKind, System } from "./system.ts";

/** Lists every system once for each schema kind it takes, the contract first. */
export function allSystems(): readonly System[] {
  return [
    ...both((schema) => coreContract(schema, "standard")),
    ...both((schema) => coreContract(schema, "compact")),
    ...both((schema) => aiSdk(schema, "standard")),
    aiSdk("zod", "compact"),
    ...both((schema) => langchainAgent(schema, true)),
    ...both((schema) => toolNode(schema, true)),
    mcpV1(true),
    ...both((schema) => mcpV2(schema, true)),
    ...both((schema) => aiSdk(schema)),
    ...both((schema) => langchainAgent(schema)),
    ...both((schema) => toolNode(schema)),
    mcpV1(),
    ...both((schema) => mcpV2(schema)),
    ...both(mastra),
    plainAjv,
    humanAjv,
  ];
}

function both(make: (schema: SchemaKind) => System): readonly System[] {
  return [make("zod"), make("json-schema")];
}
