import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { peerRanges } from "../release/peers.ts";
import { agentCells } from "./cells/agent.ts";
import { aiSdkCells } from "./cells/ai-sdk.ts";
import { conformanceCells } from "./cells/conformance.ts";
import { configCells } from "./cells/config.ts";
import { coreCells } from "./cells/core.ts";
import { guardrailsCells } from "./cells/guardrails.ts";
import { langchainCells } from "./cells/langchain.ts";
import { mastraCells } from "./cells/mastra.ts";
import { mcpCells } from "./cells/mcp.ts";
import { openaiAgentsCells } from "./cells/openai-agents.ts";
import { agentSessionCells, sdkSessionCells, sessionCells } from "./cells/session.ts";
import { durableObjectCells, storesCells } from "./cells/stores.ts";
import type { Project } from "./project.ts";

const AI_SDKS = [5, 6, 7] as const;
/** The provider packages of each version. */
const PROVIDERS = { 5: "2", 6: "3", 7: "4" };

const EVERYWHERE = ["bun", "deno", "workerd"] as const;

/** The versions of LangChain that a workspace package brings for the adapter's tests. */
function langchainIn(name: string): Readonly<Record<string, string>> {
  const file = resolve(import.meta.dirname, `../../internal/${name}/package.json`);
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.fromEntries(
    Object.entries(dependencies).filter(([dependency]) => dependency.includes("langchain")),
  );
}

/** The lowest version of a peer that a package accepts. */
function oldestOf(peer: string, name: string): string {
  const [lowest = ""] = peerRanges([name, peer])[peer] ?? [];
  return lowest;
}

/** Every project of the matrix. */
export const PROJECTS: readonly Project[] = [
  { name: "core", packages: ["explain", "core"], cells: coreCells(), runsIn: EVERYWHERE },
  {
    name: "config",
    packages: ["explain", "core", "lint", "config"],
    cells: configCells(),
  },
  ...AI_SDKS.map((version) => ({
    name: `ai-sdk with ai@${version}`,
    packages: ["explain", "core", "ai-sdk"],
    dependencies: { ai: String(version) },
    cells: aiSdkCells(version),
    ...(version === 7 && { runsIn: EVERYWHERE }),
  })),
  { name: "session", packages: ["explain", "core", "session"], cells: sessionCells() },
  ...AI_SDKS.map((version) => ({
    name: `sessions with ai@${version}`,
    packages: ["explain", "core", "session", "ai-sdk"],
    dependencies: {
      ai: String(version),
      "@ai-sdk/anthropic": PROVIDERS[version],
      "@ai-sdk/openai": PROVIDERS[version],
      zod: "4",
    },
    cells: sdkSessionCells(),
  })),
  {
    name: "sessions with the newest of langchain 1.x",
    packages: ["explain", "core", "session", "langchain"],
    dependencies: {
      langchain: "1",
      "@langchain/core": "1",
      "@langchain/langgraph": "1",
      "@langchain/anthropic": "1",
      "@langchain/openai": "1",
      zod: "4",
    },
    cells: agentSessionCells(),
  },
  {
    name: "langchain with the newest of 1.x",
    packages: ["explain", "core", "langchain"],
    dependencies: { langchain: "1", "@langchain/core": "1", "@langchain/langgraph": "1" },
    cells: langchainCells(),
    // In workerd LangChain itself does not load: it imports modules by names that are computed.
    runsIn: ["bun", "deno"],
  },
  {
    name: "langchain on the LangGraph before the newest",
    packages: ["explain", "core", "langchain"],
    dependencies: langchainIn("langchain-previous"),
    cells: langchainCells(),
  },
  {
    name: "langchain with the oldest of 1.x",
    packages: ["explain", "core", "langchain"],
    dependencies: langchainIn("langchain-1.0"),
    overrides: { "@langchain/langgraph-checkpoint": "1.0.0" },
    cells: langchainCells(),
  },
  ...["0", oldestOf("@openai/agents", "@toolcontract/openai-agents")].map((version) => ({
    name: `openai-agents with @openai/agents@${version}`,
    packages: ["explain", "core", "openai-agents"],
    dependencies: { "@openai/agents": version, zod: "4" },
    cells: openaiAgentsCells(),
    ...(version === "0" && { runsIn: ["bun", "deno", "workerd with nodejs_compat"] as const }),
  })),
  ...["1", oldestOf("@mastra/core", "@toolcontract/mastra")].map((version) => ({
    name: `mastra with @mastra/core@${version}`,
    packages: ["explain", "core", "mastra"],
    dependencies: { "@mastra/core": version, zod: "4" },
    cells: mastraCells(version),
    fromNode: 22,
  })),
  {
    name: "guardrails in every host",
    packages: [
      "explain",
      "core",
      "stores",
      "session",
      "guardrails",
      "ai-sdk",
      "langchain",
      "lint",
      "config",
      "mcp",
    ],
    dependencies: {
      ai: "7",
      langchain: "1",
      "@langchain/core": "1",
      "@langchain/langgraph": "1",
      "@modelcontextprotocol/sdk": "^1.32.2",
    },
    cells: guardrailsCells(),
  },
  {
    name: "conformance",
    packages: ["explain", "core", "stores", "guardrails", "conformance"],
    cells: conformanceCells(),
  },
  {
    name: "stores",
    packages: ["explain", "core", "stores"],
    dependencies: { redis: "6", ioredis: "6", iovalkey: "0.4" },
    cells: storesCells(),
  },
  {
    name: "stores in a Durable Object",
    packages: ["explain", "core", "stores"],
    cells: durableObjectCells(),
    runsIn: ["workerd in a Durable Object"],
  },
  {
    name: "mcp",
    packages: ["explain", "core", "stores", "session", "lint", "config", "mcp"],
    dependencies: {
      "@modelcontextprotocol/sdk": "^1.32.2",
      "@modelcontextprotocol/server-filesystem": "^2026.8.31",
      "@modelcontextprotocol/server-memory": "^2026.8.31",
    },
    files: { "files/a.txt": "the content of a" },
    cells: mcpCells(),
  },
  {
    name: "the agent",
    packages: [
      "explain",
      "core",
      "stores",
      "session",
      "guardrails",
      "ai-sdk",
      "lint",
      "config",
      "mcp",
      "agent",
    ],
    cells: agentCells(),
  },
];
