import type { TraceIds, TokenUsage } from "./entries.ts";
import type { ErrorKind } from "./errors.ts";
import type { SessionEvent } from "./events.ts";
import type { ReportFormat } from "./report.ts";

/** What fits into one request of a target, in tokens. */
export interface TargetLimits {
  /** The capacity of the model; without it, nothing is checked. */
  readonly contextWindow?: number;
  /** Kept free, because tokens are estimated: 10 % of the window by default. */
  readonly contextWindowBufferTokens?: number;
  /** Reserved for the answer; 0 by default. */
  readonly maxOutputTokens?: number;
}

/** A model that attempts may go to. */
export interface Target<
  Model,
  Settings extends object = Readonly<Record<string, unknown>>,
> extends TargetLimits {
  /** The framework's own model. */
  readonly model: Model;
  /** Overrides the call's own settings (temperature, topP, reasoning, …). */
  readonly settings?: Settings;
}

/** How many tools of one queue run at once. */
export interface QueueConfig {
  /** A whole number of at least 1. */
  readonly concurrent: number;
}

/** How many tool calls run at once, by queue; shared by every session that gets it. */
export interface Queues {
  /** The queues that exist; `default` always does. */
  readonly names: readonly string[];
  /**
   * Waits for a place in a queue and runs the function in it; the place is given back when the function has ended. A
   * call made inside one that holds a place of the same queue takes none.
   *
   * @throws What the signal was aborted with, while waiting: the place is free again.
   */
  run<T>(queue: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many calls of a queue hold a place, and how many wait for one. */
  depth(queue: string): { readonly running: number; readonly waiting: number };
}

/** How calls reach the model and back: as the provider's own calls, or as tags in its text (section 11). */
export type Transport = "native" | "xml-final" | "xml";

/** The limits of a run. Every one has a default. */
export interface SessionLimits {
  /** How many model calls one run makes, retries not counted; 20 by default. */
  readonly maxTurns?: number;
  /** How many tool calls of one turn run; no limit by default. The final report is never too many. */
  readonly maxToolCallsPerTurn?: number;
  /** How many attempts a turn has in total; 3 by default. */
  readonly maxRetries?: number;
  /** Milliseconds until a tool's call is given up, its time in a queue not counted; no limit by default. */
  readonly toolTimeout?: number | ((tool: string) => number | undefined);
  /** UTF-8 bytes of a result that the model reads, for all tools or by tool; no limit by default. */
  readonly toolResponseMaxBytes?: number | ((tool: string) => number | undefined);
  /** Tools whose results are never truncated, such as `agent__batch`. */
  readonly truncateExempt?: readonly string[];
  /** The queues by name, or what `createQueues` made, to share it between sessions. */
  readonly queues?: Readonly<Record<string, QueueConfig>> | Queues;
  /** The queue of a tool, by tool; `default` otherwise, which has no limit unless `queues` says so. */
  readonly queueOf?: Readonly<Record<string, string>>;
  /** The format of the final report; `"markdown"` by default. */
  readonly expectedOutputFormat?: ReportFormat;
  /** The JSON Schema of `content_json`, for the format `"json"`. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /**
   * Text without calls is the report (default), or is answered with a notice and retried. In the XML transports it is
   * retried in any case, except in the last turn.
   */
  readonly plainText?: "accept" | "retry";
  /** How calls reach the model and back; `"native"` by default. */
  readonly transport?: Transport;
  /** Whether a rate limit delays the next attempt on another target too (default), or only on the same one. */
  readonly rateLimitWait?: "always" | "same-target";
  /**
   * Tokens of a string; tokenx with a correction for long unbroken runs, times 1.15, by default, and if it throws or
   * returns no number.
   */
  readonly estimateTokens?: (text: string) => number;
  /** Your own reading of a provider's error; undefined, and whatever is no kind, leaves it to the session. */
  readonly classifyError?: (error: unknown) => ErrorKind | undefined;
  /** US dollars of a request; `@pydantic/genai-prices` by default, if it is installed. */
  readonly price?: (usage: PricedUsage) => number | undefined;
  /** The MCP server of a tool, for accounting; `"local"` if it is undefined or the function throws. */
  readonly serverOf?: (tool: string) => string | undefined;
  /** Ids for accounting; runs inside a tool of another run are nested by themselves. */
  readonly trace?: TraceIds;
  /** Called for everything that an operator may want to know; an error that it throws changes nothing. */
  readonly onEvent?: (event: SessionEvent) => void;
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** Waits between attempts; a timer by default. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** What a price is asked for. */
export interface PricedUsage extends TokenUsage {
  /** The provider asked. */
  readonly provider: string;
  /** The model asked. */
  readonly model: string;
  /** The provider's own metadata of the answer. */
  readonly metadata?: unknown;
}
