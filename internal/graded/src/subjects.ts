import type { Api } from "@toolcontract/conformance";
import type { Graded } from "./kit.ts";

/** A framework that is graded. */
export interface Subject {
  /** The name of its file in `programs/`. */
  readonly framework: string;
  readonly title: string;
  /** The package whose version is shown. */
  readonly package: string;
  readonly api: Api;
  /** Its programs: bare, with the best that the framework has itself, and with the contract. */
  readonly kinds: readonly ("bare" | "zod" | "contract")[];
}

/** What is graded, in the order of the table. */
export const SUBJECTS: readonly Subject[] = [
  {
    framework: "ai-sdk",
    title: "AI SDK",
    package: "ai",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "ai-sdk-6",
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
    kinds: ["bare", "zod"],
  },
  {
    framework: "langchain",
    title: "LangChain",
    package: "langchain",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "langgraph",
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
    title: "OpenAI Agents",
    package: "@openai/agents",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "mastra",
    title: "Mastra",
    package: "@mastra/core",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "openai-run-tools",
    title: "OpenAI `runTools`",
    package: "openai",
    api: "openai-chat",
    kinds: ["bare", "contract"],
  },
  {
    framework: "anthropic-tool-runner",
    title: "Anthropic `toolRunner`",
    package: "@anthropic-ai/sdk",
    api: "anthropic",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "strands",
    title: "Strands Agents",
    package: "@strands-agents/sdk",
    api: "openai-chat",
    kinds: ["bare", "zod", "contract"],
  },
  {
    framework: "xsai",
    title: "xsAI",
    package: "@xsai/generate-text",
    api: "openai-chat",
    kinds: ["bare"],
  },
];

/** The program of a framework. */
export async function programOf(framework: string, kind: string): Promise<Graded> {
  const programs = (await import(`./programs/${framework}.ts`)) as Readonly<Record<string, Graded>>;
  const program = programs[kind];
  if (program === undefined) throw new Error(`${framework} has no program ${kind}`);
  return program;
}
