/** Where a run stands in a tree of agents (section 4). */
export interface TraceIds {
  /** The agent that made the entry. */
  readonly agentId?: string;
  /** The ids of the agents from the outermost one, joined by `:`. */
  readonly callPath?: string;
  /** This run. */
  readonly txnId?: string;
  /** The run whose tool started this one. */
  readonly parentTxnId?: string;
  /** The outermost run. */
  readonly originTxnId?: string;
}

/** Tokens as a provider counted them. */
export interface TokenUsage {
  /** All tokens of the prompt, those read from a cache included. */
  readonly inputTokens: number;
  /** All tokens of the answer, reasoning included. */
  readonly outputTokens: number;
  /** The part of `inputTokens` that the provider read from its cache. */
  readonly cachedTokens?: number;
  /** The part of `inputTokens` that the provider wrote to its cache. */
  readonly cacheWriteTokens?: number;
  /** The part of `cacheWriteTokens` that the provider keeps for an hour, which costs more. */
  readonly cacheWriteHourTokens?: number;
  /** The part of `inputTokens` that was heard. */
  readonly audioInputTokens?: number;
  /** The part of `outputTokens` that was spoken. */
  readonly audioOutputTokens?: number;
  /** The sum of both. */
  readonly totalTokens: number;
}

/** One request to a model, also a failed one. Its tokens are zero if the provider reported none. */
export interface LlmEntry extends TraceIds {
  readonly type: "llm";
  /** The provider asked. */
  readonly provider: string;
  /** The model asked. */
  readonly model: string;
  /** `"failed"` for what was not an answer that the run could use. */
  readonly status: "ok" | "failed";
  /** Milliseconds. */
  readonly latency: number;
  /** As the provider counted them. */
  readonly tokens: TokenUsage;
  /** Milliseconds since 1970, when the request was sent. */
  readonly timestamp: number;
  /** Why the request failed, in one safe line. */
  readonly error?: string;
  /** US dollars, if they are known. */
  readonly costUsd?: number;
  /** The provider behind a gateway. */
  readonly actualProvider?: string;
  /** The model that answered, if it is another than the one asked. */
  readonly actualModel?: string;
  /** Why the model stopped, as the framework names it. */
  readonly stopReason?: string;
}

/** One execution of a tool, also a failed one. */
export interface ToolEntry extends TraceIds {
  readonly type: "tool";
  /** The MCP server of the tool; `"local"` for a tool that runs in this process. */
  readonly mcpServer: string;
  /** The tool's name. */
  readonly command: string;
  /** `"failed"` if the model read that the tool failed. */
  readonly status: "ok" | "failed";
  /** Milliseconds, without the time in a queue. */
  readonly latency: number;
  /** Milliseconds since 1970, when the tool started. */
  readonly timestamp: number;
  /** The length of the arguments as JSON. */
  readonly charactersIn: number;
  /** The length of what the model reads. */
  readonly charactersOut: number;
  /** Why the tool failed, in one safe line. */
  readonly error?: string;
  /** For a dropped output: the tokens it would have taken. */
  readonly estimatedTokens?: number;
  /** For a dropped output: the tokens of what replaced it. */
  readonly replacementTokens?: number;
  /** Set for calls that the model made in XML. */
  readonly source?: "xml";
}

/** An entry of a result's `accounting`. */
export type AccountingEntry = LlmEntry | ToolEntry;
