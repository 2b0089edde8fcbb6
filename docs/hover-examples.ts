import type { Example } from "./fences.ts";
import type { Entry, ExportedName } from "./public-surface.ts";

/** What the examples that a person sees on hover count on, by entry; names of the entry itself are imported. */
const BEFORE: Readonly<Record<string, string>> = {
  "ai-sdk": `
import { countAttempts } from "@toolcontract/core";
import { generateText, type LanguageModel, type ModelMessage, type ToolSet } from "ai";
declare const model: LanguageModel;
declare const tools: ToolSet;
declare const messages: ModelMessage[];
declare const result: Awaited<ReturnType<typeof generateText>>;`,
  config: `import { createContract } from "@toolcontract/core";`,
  core: `
import { z } from "zod";
import type { Contract, ModelTurn, ToolCall, ToolDefinition, ToolResult } from "@toolcontract/core";
declare const call: ToolCall;
declare const contract: Contract;
declare const calls: readonly ToolCall[];
declare const tool: ToolDefinition;
declare const tools: readonly ToolDefinition[];
declare const execute: () => string;
declare const handled: readonly { readonly result: ToolResult }[];
declare const messages: unknown[];
declare const message: { metadata: unknown };
declare const result: ToolResult;
declare const turns: readonly ModelTurn[];`,
  "core/secretlint": `import { createContract } from "@toolcontract/core";`,
  "guardrails/config": `
import { loadConfig } from "@toolcontract/config";
import { createContract } from "@toolcontract/core";
import { slotStore } from "@toolcontract/guardrails";
declare const store: ReturnType<typeof slotStore<object>>;`,
  explain: `
declare const schema: { readonly type: "object" };
declare const sent: unknown;`,
  guardrails: `import { createContract } from "@toolcontract/core";`,
  langchain: `
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredTool } from "@langchain/core/tools";
import { createAgent } from "langchain";
declare const model: BaseChatModel;
declare const tools: StructuredTool[];
declare const weather: StructuredTool;
declare const agent: ReturnType<typeof createAgent>;`,
  lint: "declare const document: unknown;",
  mcp: `
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
declare const client: Client;
declare const server: McpServer;
declare const transport: InMemoryTransport;`,
  "openai-agents": `
import { Agent, type FunctionTool } from "@openai/agents";
declare const book: FunctionTool;`,
  session: "declare const page: string;",
  stores: `
import { type AttemptStore, createContract } from "@toolcontract/core";
import { DatabaseSync } from "node:sqlite";
declare const shared: AttemptStore;
declare const client: { sendCommand(args: string[]): Promise<unknown> };`,
};

/** The examples in the TSDoc of an entry's functions, as programs. */
export function hoverExamples(entry: Entry, names: readonly ExportedName[]): readonly Example[] {
  const [, folder = "", rest = ""] = /^@toolcontract\/([^/]+)(.*)$/.exec(entry.name) ?? [];
  return names.flatMap(({ name, examples }) =>
    examples.map((text, index) => {
      const before = (BEFORE[folder + rest] ?? BEFORE[folder] ?? "").trim();
      const used = names
        .map((one) => one.name)
        .filter((one) => new RegExp(`\\b${one}\\b`).test(text) && !before.includes(` ${one} `));
      const imports = `import { ${used.join(", ")} } from "${entry.name}";`;
      const title = `hover ${folder}${rest} ${name} ${index + 1}`;
      const program = [before, imports, "export async function shown() {", text, "}"];
      return { name: title, program: program.join("\n") };
    }),
  );
}
