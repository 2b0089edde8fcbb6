import type { JsonSchema } from "@toolcontract/explain";

/** How a tool was declared: by MCP, by a provider, or as a schema alone. */
export type ToolForm =
  | "mcp"
  | "openai"
  | "anthropic"
  | "gemini"
  | "bedrock"
  | "langchain"
  | "schema";

/** A tool to lint, as its list declares it. */
export interface LintTool {
  readonly name: string;
  /** What a model reads of it. */
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments; undefined if it has none. */
  readonly inputSchema?: JsonSchema | undefined;
  /** The JSON Schema of its result. */
  readonly outputSchema?: JsonSchema | undefined;
  readonly form: ToolForm;
  /** The tool as it was declared. */
  readonly source: unknown;
  /** JSON Pointers into the declaration. */
  readonly at: {
    readonly name: string;
    /** The tokens of the description. */
    readonly description: string;
    /** The tokens of the schema of the arguments. */
    readonly inputSchema: string;
    /** The tokens of the schema of the result. */
    readonly outputSchema: string;
  };
}
