import {
  jsonText,
  type LlmEntry,
  type ReplyFacts,
  type TokenUsage,
  type ToolEntry,
  type TraceIds,
} from "../shared/index.ts";

/** When something began and ended, in milliseconds since 1970. */
interface Times {
  /** When the request was sent, or the tool started. */
  readonly startedAt: number;
  /** When it was answered, or timed out. */
  readonly endedAt: number;
}

/** What is known of a request to a model. */
export interface LlmFacts extends Times {
  /** The provider asked. */
  readonly provider: string;
  /** The model asked. */
  readonly model: string;
  /** What answered; absent if nothing did. */
  readonly reply?: Partial<Pick<ReplyFacts, "provider" | "model" | "finishReason" | "usage">>;
  /** Why the request failed, in one safe line; a request without it was successful. */
  readonly error?: string | undefined;
  /** US dollars. */
  readonly costUsd?: number | undefined;
  /** The ids of the run. */
  readonly trace?: TraceIds | undefined;
}

/** What is known of the execution of a tool. */
export interface ToolFacts extends Times {
  /** The tool's name. */
  readonly tool: string;
  /**
   * The MCP server of the tool.
   *
   * @default "local"
   */
  readonly mcpServer?: string | undefined;
  /** The arguments. */
  readonly input: unknown;
  /** What the model reads. */
  readonly output: string;
  /** Why the tool failed, in one safe line; a call without it was successful. */
  readonly error?: string | undefined;
  /** For an output that did not fit: the tokens it would have taken, and those of what replaced it. */
  readonly dropped?: Required<Pick<ToolEntry, "estimatedTokens" | "replacementTokens">> | undefined;
  /** Set for calls that the model made in XML. */
  readonly source?: "xml" | undefined;
  /** The ids of the run. */
  readonly trace?: TraceIds | undefined;
}

/**
 * The accounting entry of a request to a model.
 *
 * @example
 * ```ts
 * console.log(JSON.stringify(llmEntry({ provider: "own", model: "fast", startedAt, endedAt: Date.now() })));
 * ```
 * @see packages/session/README.md
 */
export function llmEntry(facts: LlmFacts): LlmEntry {
  const { provider, model, reply = {}, error, costUsd, trace } = facts;
  return {
    type: "llm",
    provider,
    model,
    status: error === undefined ? "ok" : "failed",
    ...timing(facts),
    tokens: countedTokens(reply.usage),
    ...present({
      error,
      costUsd: isCount(costUsd) ? costUsd : undefined,
      actualProvider: reply.provider === provider ? undefined : reply.provider,
      actualModel: reply.model === model ? undefined : reply.model,
      stopReason: reply.finishReason,
    }),
    ...idsOf(trace),
  };
}

/** The accounting entry of a tool's execution. */
export function toolEntry(facts: ToolFacts): ToolEntry {
  const { tool, mcpServer = "local", input, output, error, dropped, source, trace } = facts;
  return {
    type: "tool",
    mcpServer,
    command: tool,
    status: error === undefined ? "ok" : "failed",
    ...timing(facts),
    charactersIn: jsonText(input)?.length ?? 0,
    charactersOut: output.length,
    ...present({ error, ...dropped, source }),
    ...idsOf(trace),
  };
}

function timing({ startedAt, endedAt }: Times): Pick<LlmEntry, "latency" | "timestamp"> {
  // A clock may be set back.
  return { latency: Math.max(0, endedAt - startedAt), timestamp: startedAt };
}

/** The parts of a prompt or an answer that have a price of their own. */
const PARTS = [
  "cachedTokens",
  "cacheWriteTokens",
  "cacheWriteHourTokens",
  "audioInputTokens",
  "audioOutputTokens",
] as const satisfies readonly (keyof TokenUsage)[];

/** Tokens as reported; what is not a number counts as zero. */
function countedTokens(usage: TokenUsage | undefined): TokenUsage {
  const inputTokens = countOrNone(usage?.inputTokens);
  const outputTokens = countOrNone(usage?.outputTokens);
  const parts = PARTS.map((name) => [name, usage?.[name]] as const).filter(([, count]) =>
    isCount(count),
  );
  return {
    inputTokens,
    outputTokens,
    ...Object.fromEntries(parts),
    totalTokens: countOrNone(usage?.totalTokens) || inputTokens + outputTokens,
  };
}

function countOrNone(value: unknown): number {
  return isCount(value) ? value : 0;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function idsOf(trace: TraceIds = {}): TraceIds {
  const { agentId, callPath, txnId, parentTxnId, originTxnId } = trace;
  return present({ agentId, callPath, txnId, parentTxnId, originTxnId });
}

type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out what is undefined. */
function present<T extends object>(fields: T): Present<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<T>;
}
