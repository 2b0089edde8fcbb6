import type { TraceIds, TokenUsage } from "./entries.ts";
import type { ErrorKind } from "./errors.ts";
import type { SessionEvent } from "./events.ts";
import type { ReportFormat } from "./report.ts";
import type { XmlTransport } from "./xml.ts";

/** What fits into one request of a target, in tokens. */
export interface TargetLimits {
  /** The capacity of the model; without it, nothing is checked. */
  readonly contextWindow?: number;
  /**
   * Kept free, because tokens are estimated.
   *
   * @default 10 % of the window
   */
  readonly contextWindowBufferTokens?: number;
  /**
   * Reserved for the answer.
   *
   * @default 0
   */
  readonly maxOutputTokens?: number;
}

/** How long one request to a model may take, in milliseconds; then the next target is asked. */
export interface RequestTimeout {
  /**
   * Until the first part of a streamed answer that says anything. By default, a connection that is alive is waited for.
   *
   * @default 300_000, and 60_000 while another target is left
   */
  readonly firstToken?: number;
  /**
   * Between two parts of a streamed answer, pings of the provider included.
   *
   * @default 300_000, and 60_000 while another target is left
   */
  readonly silence?: number;
  /**
   * Until the end of the answer, streamed or not.
   *
   * @default 600_000
   */
  readonly total?: number;
}

/** What a model's tokens cost, in US dollars for a million of them. */
export interface TokenPrice {
  /** Tokens of the prompt. */
  readonly input: number;
  /** Tokens of the answer. */
  readonly output: number;
  /**
   * Tokens of the prompt that were read from a cache.
   *
   * @default `input`
   */
  readonly cachedInput?: number;
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
  /** The times of this target's requests; what it leaves out is the session's. */
  readonly requestTimeout?: RequestTimeout;
  /** What its tokens cost, for a model that no list has; the session's function `price` goes before it. */
  readonly price?: TokenPrice;
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

/**
 * How calls reach the model and back: as the provider's own calls, or as tags in its text (section 11), with `xml` or
 * `xmlFinal` of `@toolcontract/session/xml`.
 */
export type Transport = "native" | XmlTransport;

/** The limits of a run. Every one has a default. */
export interface SessionLimits {
  /**
   * How many model calls one run makes, retries not counted.
   *
   * @default 20
   */
  readonly maxTurns?: number;
  /**
   * How many tool calls of one turn run. The final report is never too many.
   *
   * @default no limit
   */
  readonly maxToolCallsPerTurn?: number;
  /**
   * How many attempts a turn has in total.
   *
   * @default 3
   */
  readonly maxRetries?: number;
  /**
   * Tokens of prompts and answers that one run takes, with the runs inside its tools. The turn after which another one
   * would not fit is the last: only the report can be called in it.
   *
   * @default no limit
   */
  readonly maxTokens?: number;
  /**
   * The same in US dollars, as `price` says. A target whose price is not known is an error before the first request, since nothing
   * of it could be counted.
   *
   * @default no limit
   */
  readonly maxCost?: number;
  /** Tools that may be called again and again with the same result, such as `poll`; others make no progress so. */
  readonly repeatableTools?: readonly string[];
  /**
   * How long a request to a model may take, for all targets: a provider that accepts a request and falls silent is an attempt
   * that failed, and the next target is asked. Without a stream only `total` applies.
   */
  readonly requestTimeout?: RequestTimeout;
  /**
   * Milliseconds until a tool's call times out, without its time in a queue.
   *
   * @default no limit
   */
  readonly toolTimeout?: number | ((tool: string) => number | undefined);
  /**
   * UTF-8 bytes of a result that the model reads, for all tools or by tool.
   *
   * @default no limit
   */
  readonly toolResponseMaxBytes?: number | ((tool: string) => number | undefined);
  /**
   * What is kept of a result that is truncated: `"head-and-tail"` is its beginning and its end, in which logs and errors have what
   * matters.
   *
   * @default { keep: "head-and-tail" }
   */
  readonly toolResponse?: {
    /** `"head"` keeps the beginning alone. */
    readonly keep?: "head" | "head-and-tail";
  };
  /** Tools whose results are never truncated, such as `agent__batch`. */
  readonly truncateExempt?: readonly string[];
  /** The queues by name, or what `createQueues` made, to share it between sessions. */
  readonly queues?: Readonly<Record<string, QueueConfig>> | Queues;
  /** The queue of a tool, by tool; `default` otherwise, which has no limit unless `queues` says so. */
  readonly queueOf?: Readonly<Record<string, string>>;
  /**
   * The format of the final report.
   *
   * @default "markdown"
   */
  readonly expectedOutputFormat?: ReportFormat;
  /** The JSON Schema of `content_json`, for the format `"json"`. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /**
   * Text without calls is accepted as the report, or is answered with a notice and retried. `"nudge"` does that once in a run,
   * while tools are offered, and then accepts it. In the XML transports it is retried in any case, except in the last turn.
   *
   * @default "accept"
   */
  readonly plainText?: "accept" | "retry" | "nudge";
  /**
   * How the model gives its report: by a call of the report tool, or as text, for a chat that shows the model's words. With `"text"`
   * the report tool is never offered; for the formats `"markdown"` and `"text"`, without an XML transport.
   *
   * @default "call"
   */
  readonly reportAs?: "call" | "text";
  /**
   * What happens if the last try of an effect failed, or its outcome is not known, and the report does not say so. `"ask"` asks the
   * model once, which counts among the turns; a run that is still `unverified` then, or with `"mark"` at once, is not a success.
   *
   * @default "ask"
   */
  readonly unverified?: "ask" | "mark" | "ignore";
  /**
   * How calls reach the model and back.
   *
   * @default "native"
   */
  readonly transport?: Transport;
  /**
   * Whether a rate limit delays the next attempt on the same target only, or on another one too. If all of two or more targets
   * are limited, the run waits in any case.
   *
   * @default "same-target"
   */
  readonly rateLimitWait?: "always" | "same-target";
  /**
   * The longest wait for a rate limit, in milliseconds: a target that asks for more is not asked again in this run.
   *
   * @default 60_000
   */
  readonly maxRateLimitWait?: number;
  /**
   * Tokens of a string. If it throws or returns no number, the default counts.
   *
   * @default tokenx with a correction for long unbroken runs, times 1.15
   */
  readonly estimateTokens?: (text: string) => number;
  /** Your own reading of a provider's error; undefined, and whatever is not a kind, leaves it to the session. */
  readonly classifyError?: (error: unknown) => ErrorKind | undefined;
  /**
   * US dollars of a request.
   *
   * @default `@pydantic/genai-prices`, if it is installed
   */
  readonly price?: (usage: PricedUsage, target: Target<unknown, object>) => number | undefined;
  /** The MCP server of a tool, for accounting; `"local"` if it is undefined or the function throws. */
  readonly serverOf?: (tool: string) => string | undefined;
  /** Ids for accounting; runs inside a tool of another run are nested by themselves. */
  readonly trace?: TraceIds;
  /** Called for everything that an operator may want to know; an error that it throws changes nothing. */
  readonly onEvent?: (event: SessionEvent) => void;
  /**
   * Milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
  /**
   * Waits between attempts.
   *
   * @default a timer
   */
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
