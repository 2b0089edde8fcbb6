import { aiSdk, aiSdkWithContract } from "./ai-sdk.ts";
import { humanAjv, plainAjv } from "./ajv.ts";
import { coreContract } from "./core.ts";
import {
  langchainAgent,
  langchainAgentWithContract,
  toolNode,
  toolNodeWithContract,
} from "./langchain.ts";
import { mastra } from "./mastra.ts";
import { mcpV1, mcpV1WithContract, mcpV2, mcpV2WithContract } from "./mcp.ts";
import type { System } from "./system.ts";

/** Lists every system once for each schema kind it takes, the contract first. */
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
