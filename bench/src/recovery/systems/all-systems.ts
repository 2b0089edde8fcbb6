import { aiSdk, aiSdkWithContract } from "./ai-sdk.ts";
import { humanAjv, plainAjv } from "./ajv.ts";
import { coreContract } from "./core.ts";
import { langchainAgent, toolNode } from "./langchain.ts";
import { langchainAgentWithContract, toolNodeWithContract } from "./langchain-contract.ts";
import { mastra } from "./mastra.ts";
import { mcpV1, mcpV2 } from "./mcp.ts";
import { mcpV1WithContract, mcpV2WithContract } from "./mcp-contract.ts";
import type { System } from "./system.ts";

/** All systems, the contract first; each schema kind that a package takes is one. */
export function allSystems(): readonly System[] {
  return [
    coreContract("zod", "standard"),
    coreContract("json-schema", "standard"),
    coreContract("zod", "compact"),
    coreContract("json-schema", "compact"),
    aiSdkWithContract("zod", "standard"),
    aiSdkWithContract("json-schema", "standard"),
    aiSdkWithContract("zod", "compact"),
    langchainAgentWithContract("zod"),
    langchainAgentWithContract("json-schema"),
    toolNodeWithContract("zod"),
    toolNodeWithContract("json-schema"),
    mcpV1WithContract(),
    mcpV2WithContract("zod"),
    mcpV2WithContract("json-schema"),
    aiSdk("zod"),
    aiSdk("json-schema"),
    langchainAgent("zod"),
    langchainAgent("json-schema"),
    toolNode("zod"),
    toolNode("json-schema"),
    mcpV1(),
    mcpV2("zod"),
    mcpV2("json-schema"),
    mastra("zod"),
    mastra("json-schema"),
    plainAjv,
    humanAjv,
  ];
}
