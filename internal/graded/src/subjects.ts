import type { Api } from "@toolcontract/conformance";
import { openApart, type Packages } from "./apart.ts";
import type { Graded } from "./kit.ts";

/** A framework that is graded. */
export interface Subject {
  /** The name of its file in `programs/`. */
  readonly framework: string;
  readonly title: string;
  /** The package whose version is shown. */
  readonly package: string;
  readonly api: Api;
  /** The packages of a framework that the workspace does not install; its file is in `apart/`. */
  readonly apart?: Packages;
  /** Its page in `docs/`, which shows the scores. */
  readonly page?: string;
  /** How long a scenario may take, in milliseconds, if some of its runs never end. @default 20 seconds */
  readonly timeLimit?: number;
  /** True if its programs take the schema of a final answer; others have no L5. */
  readonly answers?: true;
  /** What its own best program uses. @default "tools by zod" */
  readonly best?: string;
  /** Its programs: bare, with the best that the framework has itself, and with the contract. */
  readonly kinds: readonly ("bare" | "zod" | "contract")[];
}

/** What is graded, in the order of the table. */
export const SUBJECTS: readonly Subject[] = [
  {
    framework: "ai-sdk",
    answers: true,
    title: "AI SDK",
    package: "ai",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "ai-sdk-6",
    answers: true,
    title: "AI SDK",
    package: "ai6",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "ai-sdk-5",
    title: "AI SDK",
    package: "ai5",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "langchain",
    answers: true,
    title: "LangChain",
    package: "langchain",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "langgraph",
    page: "langgraph.md",
    title: "LangGraph",
    package: "@langchain/langgraph",
    api: "openai-chat",
    kinds: ["bare", "contract"],
  },
  {
    framework: "mcp",
    title: "MCP SDK",
    package: "@modelcontextprotocol/sdk",
    api: "anthropic",
    kinds: ["bare", "contract"],
  },
  {
    framework: "openai-agents",
    answers: true,
    title: "OpenAI Agents",
    best: "tools by zod, `toolNotFoundBehavior`",
    package: "@openai/agents",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "mastra",
    answers: true,
    title: "Mastra",
    package: "@mastra/core",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "openai-run-tools",
    page: "openai-run-tools.md",
    title: "OpenAI `runTools`",
    package: "openai",
    api: "openai-chat",
    kinds: ["bare", "contract"],
  },
  {
    framework: "anthropic-tool-runner",
    page: "anthropic-tool-runner.md",
    title: "Anthropic `toolRunner`",
    package: "@anthropic-ai/sdk",
    api: "anthropic",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "strands",
    page: "strands.md",
    title: "Strands Agents",
    package: "@strands-agents/sdk",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "xsai",
    page: "xsai.md",
    title: "xsAI",
    package: "@xsai/generate-text",
    api: "openai-chat",
    kinds: ["bare", "contract"],
  },
  {
    framework: "own-loop",
    title: "Your own loop, around OpenAI's client",
    package: "openai",
    api: "openai-chat",
    answers: true,
    kinds: ["contract"],
  },
  {
    framework: "n8n-code-node",
    page: "n8n-code-node.md",
    title: "n8n's code node, in a loop of the kit around",
    package: "openai",
    api: "openai-chat",
    kinds: ["contract"],
  },
  {
    framework: "google-adk",
    page: "google-adk.md",
    title: "Google ADK",
    package: "@google/adk",
    api: "gemini",
    apart: { "@google/adk": "2.0.0", zod: "4.6.7" },
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "tanstack-ai",
    page: "tanstack-ai.md",
    title: "TanStack AI",
    package: "@tanstack/ai",
    api: "openai-chat",
    apart: { "@tanstack/ai": "0.58.0", "@tanstack/ai-openai": "0.23.1", zod: "4.6.7" },
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "genkit",
    page: "genkit.md",
    title: "Genkit",
    package: "genkit",
    api: "gemini",
    apart: {
      genkit: "1.42.0",
      "@genkit-ai/google-genai": "1.42.0",
      // Optional to Genkit, which imports it always.
      "@cfworker/json-schema": "4.1.1",
    },
    kinds: ["bare", "contract"],
  },
  {
    framework: "voltagent",
    page: "voltagent.md",
    title: "VoltAgent",
    package: "@voltagent/core",
    api: "openai-chat",
    apart: {
      "@voltagent/core": "2.10.0",
      "@ai-sdk/openai": "3.0.141",
      ai: "6.0.326",
      zod: "4.6.7",
    },
    kinds: ["zod", "contract"],
  },
  {
    framework: "claude-agent-sdk",
    page: "claude-agent-sdk.md",
    title: "Claude Agent SDK (its tool server)",
    package: "@anthropic-ai/claude-agent-sdk",
    api: "anthropic",
    apart: {
      "@anthropic-ai/claude-agent-sdk": "0.3.332",
      "@anthropic-ai/sdk": "1.14.0",
      "@modelcontextprotocol/sdk": "1.32.2",
      zod: "4.6.7",
    },
    kinds: ["bare", "contract"],
  },
  {
    framework: "cloudflare-agents",
    page: "cloudflare-agents.md",
    title: "Cloudflare Agents",
    package: "agents",
    api: "openai-chat",
    apart: {
      agents: "0.32.0",
      "@ai-sdk/openai": "4.0.118",
      "@cloudflare/workers-types": "5.20261117.1",
      "@modelcontextprotocol/client": "2.4.0",
      "@modelcontextprotocol/sdk": "1.32.2",
      ai: "7.0.173",
      esbuild: "0.28.2",
      miniflare: "4.20260730.0",
      zod: "4.6.7",
    },
    kinds: ["bare", "contract"],
  },
  {
    framework: "llamaindex",
    page: "llamaindex.md",
    title: "LlamaIndex",
    package: "@llamaindex/workflow",
    api: "openai-chat",
    timeLimit: 3_000,
    apart: {
      "@llamaindex/workflow": "1.1.25",
      "@llamaindex/core": "0.6.23",
      "@llamaindex/env": "0.1.31",
      "@llamaindex/openai": "0.4.23",
      zod: "4.6.7",
    },
    kinds: ["bare", "contract"],
  },
  {
    framework: "pi",
    title: "Pi",
    package: "@earendil-works/pi-agent-core",
    api: "openai-chat",
    apart: { "@earendil-works/pi-agent-core": "1.5.2" },
    kinds: ["bare"],
  },
];

/** The program of a framework; those apart are installed and compiled first. */
export async function programOf(framework: string, kind: string): Promise<Graded> {
  const apart = SUBJECTS.find((subject) => subject.framework === framework)?.apart;
  const file = apart ? openApart(framework, apart) : `./programs/${framework}.ts`;
  const programs = (await import(file)) as Readonly<Record<string, Graded>>;
  const program = programs[kind];
  if (program === undefined) throw new Error(`${framework} has no program ${kind}`);
  return program;
}
