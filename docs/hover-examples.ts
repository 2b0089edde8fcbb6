import type { Example } from "./fences.ts";
import type { Entry, ExportedName } from "./public-surface.ts";

/** What the examples that a person sees on hover count on, by entry; names of the entry itself are imported. */
const BEFORE: Readonly<Record<string, string>> = {
  "ai-sdk": `
import { countAttempts } from "@toolcontract/core";
import { generateObject, generateText, type LanguageModel, type ModelMessage, type ToolSet } from "ai";
import { z } from "zod";
declare const model: LanguageModel;
declare const tools: ToolSet;
declare const messages: ModelMessage[];
declare const result: Awaited<ReturnType<typeof generateText>>;
import { OpenTelemetry } from "@ai-sdk/otel";
import * as api from "@opentelemetry/api";
import { registerTelemetry } from "ai";`,
  config: `import { createContract } from "@toolcontract/core";`,
  core: `
import { z } from "zod";
import type { Contract, ModelTurn, ToolCall, ToolDefinition, ToolResult } from "@toolcontract/core";
import * as api from "@opentelemetry/api";
declare const admitted: { run(execute: () => string): Promise<unknown> };
declare const book: () => string;
declare const error: unknown;
declare const stored: { readonly version: string };
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
  "core/wire": `
import type { Contract, ToolDefinition } from "@toolcontract/core";
declare const contract: Contract;
declare const tools: readonly ToolDefinition[];
declare const execute: () => string;
declare const messages: unknown[];
declare const contents: unknown[];
declare const input: unknown[];
declare const completion: NonNullable<Parameters<typeof openai.read>[0]>;
declare const response: NonNullable<Parameters<typeof responses.read>[0]>;
declare const event: NonNullable<Parameters<typeof realtime.read>[0]>;
declare const generated: NonNullable<Parameters<typeof gemini.read>[0]>;
declare const chat: NonNullable<Parameters<typeof mistral.read>[0]>;
declare const answer: NonNullable<Parameters<typeof ollama.read>[0]>;
declare const reply: NonNullable<Parameters<typeof cohere.read>[0]>;
declare const connection: { send(event: unknown): void };
declare const stream: {
  on(name: "streamEvent", listener: (event: unknown) => void): void;
  finalMessage(): Promise<NonNullable<Parameters<typeof anthropic.read>[0]>>;
};`,
  "core/secretlint": `import { createContract } from "@toolcontract/core";`,
  "guardrails/config": `
import { loadConfig } from "@toolcontract/config";
import { createContract } from "@toolcontract/core";
import { slotStore } from "@toolcontract/guardrails";
declare const policies: Parameters<typeof policyFaults>[0];
declare const store: ReturnType<typeof slotStore<object>>;`,
  "conformance/node-test": `
import { createMemoryStore } from "@toolcontract/core";
declare const createHarness: Parameters<typeof describeAdapter>[1];
declare const sessionHost: Parameters<typeof describeSession>[1];`,
  "conformance/vitest": `
import { createMemoryStore } from "@toolcontract/core";
declare const createHarness: Parameters<typeof describeAdapter>[1];
declare const sessionHost: Parameters<typeof describeSession>[1];`,
  explain: `
import { explain } from "@toolcontract/explain";
declare const error: unknown;
declare const stored: { readonly version: string };
declare const schema: { readonly type: "object" };
declare const sent: unknown;`,
  guardrails: `
import { createContract } from "@toolcontract/core";
import type { SqliteDatabase } from "@toolcontract/guardrails";
declare const database: SqliteDatabase;
declare const error: unknown;
declare const seats: number;`,
  langchain: `
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredTool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from "deepagents";
import { createContract } from "@toolcontract/core";
import { type AIMessage, createAgent } from "langchain";
declare const answer: AIMessage;
declare const model: BaseChatModel;
declare const tools: StructuredTool[];
declare const weather: StructuredTool;
declare const agent: ReturnType<typeof createAgent>;
declare const state: { readonly messages: AIMessage[] };`,
  lint: `
declare const document: unknown;
declare const tool: Parameters<typeof toProvider>[0];`,
  mastra: `
import { Agent } from "@mastra/core/agent";
declare const model: string;
declare const tools: Record<string, never>;`,
  mcp: `
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
declare const result: { readonly _meta?: Readonly<Record<string, unknown>> };
declare const client: Client;
declare const server: McpServer;
declare const transport: InMemoryTransport;`,
  "openai-agents": `
import { Agent, type FunctionTool } from "@openai/agents";
import { z } from "zod";
declare const book: FunctionTool;`,
  session: `
import type { ReplyFacts, SessionLimits, Target, TokenUsage } from "@toolcontract/session";
declare const ask: (model: string) => Promise<string>;
declare const error: unknown;
declare const load: (signal: AbortSignal) => Promise<string>;
declare const names: { readonly provider: string; readonly model: string };
declare const own: readonly object[];
declare const page: string;
declare const reply: ReplyFacts;
declare const result: unknown;
declare const startedAt: number;
declare const target: Target<string, object>;
declare const usage: TokenUsage;`,
  stores: `
import { type AttemptStore, createContract } from "@toolcontract/core";
import { DatabaseSync } from "node:sqlite";
import { createMemoryStore } from "@toolcontract/core";
import { memoryLedger } from "@toolcontract/guardrails";
import type { VersionedEngine } from "@toolcontract/stores";
declare const engine: VersionedEngine;
declare const ledger: ReturnType<typeof memoryLedger>;
declare const test: (name: string, run: () => Promise<void>) => void;
declare const shared: AttemptStore;
declare const client: { sendCommand(args: string[]): Promise<unknown> };`,
  "stores/durable-object": `
declare const ctx: { readonly storage: Parameters<typeof durableObjectStore>[0] };`,
  "stores/postgres": `
import { writeFileSync } from "node:fs";
import type { PostgresClient } from "@toolcontract/stores/postgres";
declare const pool: PostgresClient;
declare const sql: { unsafe(text: string, values: unknown[]): Promise<object[]> };
declare const Pool: new () => PostgresClient;`,
};

/** The examples in the TSDoc of an entry's functions, as programs. */
export function hoverExamples(entry: Entry, names: readonly ExportedName[]): readonly Example[] {
  const [, folder = "", rest = ""] = /^@toolcontract\/([^/]+)(.*)$/.exec(entry.name) ?? [];
  return names.flatMap(({ name, examples }, order) =>
    examples.map((text, index) => {
      const before = (BEFORE[folder + rest] ?? BEFORE[folder] ?? "").trim();
      const isUsed = (one: string): boolean =>
        new RegExp(`\\b${one}\\b`).test(`${before}\n${text}`) &&
        !new RegExp(`[ {]${one}[ ,]`).test(before);
      const used = names
        .filter((one) => isUsed(one.name))
        .map((one) => (one.signatures.length === 0 ? `type ${one.name}` : one.name));
      const imports = `import { ${used.join(", ")} } from "${entry.name}";`;
      // Two names may differ only in case.
      const title = `hover ${folder}${rest} ${order} ${name} ${index + 1}`;
      const program = [before, imports, "export async function shown() {", text, "}"];
      return { name: title, program: program.join("\n") };
    }),
  );
}
