import type { ToolSet } from "ai";

/** The tools of one run, and the calls that reached them. */
export interface Toolbox {
  readonly tools: ToolSet;
  /** The arguments that reached a tool, a server or the client, oldest first. */
  readonly reached: readonly unknown[];
  /** Answers calls of tools without `execute`, as the application in a browser does. */
  readonly client?: (toolName: string, input: unknown) => string;
  close?(): Promise<void>;
}
