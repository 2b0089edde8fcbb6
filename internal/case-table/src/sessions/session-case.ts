import type { Json, JsonObject } from "../conformance-case.ts";

/** One row of the table of sessions: what the models of a run answer, and what must come of it. Plain data. */
export interface SessionCase {
  readonly name: string;
  /** The contract's words that the row proves. */
  readonly clause: string;
  readonly options?: CaseLimits;
  /** Attempts go to them in this order. */
  readonly targets: readonly [CaseTarget, ...CaseTarget[]];
  readonly tools?: readonly SessionTool[];
  readonly system?: string;
  /** What the run is given; one question by default. */
  readonly messages?: readonly GivenMessage[];
  /** A setting of the call itself, for all targets. */
  readonly temperature?: number;
  /** When the user's signal aborts: before the run, or as soon as anything waits. */
  readonly aborts?: "before" | "waiting";
  /** How many runs of the one session go on at once; each gets the same replies. 1 by default. */
  readonly runs?: number;
  readonly expected: ExpectedRun;
}

/** A message before the run. */
interface GivenMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** The limits of a session; those that a session takes as functions are data here. */
export interface CaseLimits {
  readonly maxTurns?: number;
  readonly maxToolCallsPerTurn?: number;
  readonly maxRetries?: number;
  /** For all tools, or by tool. */
  readonly toolTimeout?: number | Readonly<Record<string, number>>;
  /** For all tools, or by tool. */
  readonly toolResponseMaxBytes?: number | Readonly<Record<string, number>>;
  readonly truncateExempt?: readonly string[];
  readonly repeatableTools?: readonly string[];
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly queues?: Readonly<Record<string, { readonly concurrent: number }>>;
  /** True if `queues` is made once, and shared with the sessions that a tool runs. */
  readonly sharesQueues?: true;
  readonly queueOf?: Readonly<Record<string, string>>;
  readonly expectedOutputFormat?: "markdown" | "text" | "json" | "slack-block-kit" | "sub-agent";
  readonly outputSchema?: JsonObject;
  readonly plainText?: "accept" | "retry" | "nudge";
  /** In XML, `NONCE` stands for the nonce of the run, in what models write and in what is expected. */
  readonly transport?: "xml" | "xml-final";
  readonly rateLimitWait?: "always" | "same-target";
  readonly maxRateLimitWait?: number;
  readonly requestTimeout?: CaseTimes;
  /** Every character is one token, so that a row can count. */
  readonly countsCharacters?: true;
  /** US dollars of each request. */
  readonly price?: number;
  /** The MCP server by tool. */
  readonly servers?: Readonly<Record<string, string>>;
  readonly trace?: Readonly<Record<"agentId" | "txnId", string>>;
}

/** A model, and what it answers to its requests, in order; past the end, it says so. */
export interface CaseTarget {
  /** The provider's name. */
  readonly name: string;
  readonly replies: readonly CaseReply[];
  readonly contextWindow?: number;
  readonly contextWindowBufferTokens?: number;
  readonly maxOutputTokens?: number;
  readonly settings?: { readonly temperature: number };
  readonly requestTimeout?: CaseTimes;
}

/** The times of a request, in real milliseconds. */
interface CaseTimes {
  readonly firstToken?: number;
  readonly silence?: number;
  readonly total?: number;
}

/** What a model answers to one request. */
export interface CaseReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly CallInReply[];
  /** `"tool-calls"` if there are calls, else `"stop"`, by default. */
  readonly finishReason?: "stop" | "length" | "content-filter" | "tool-calls" | "other";
  /** 10 and 5 tokens by default; `null` for a provider that reports none. */
  readonly usage?: CaseUsage | null;
  /** The model that answers, if it is not the one that was asked. */
  readonly model?: string;
  /** The request fails. */
  readonly error?: CaseError;
  /** How a stream ends after what it said: with an error, by closing, or not before its signal aborts. */
  readonly breaks?: "error" | "closes" | "stalls";
  /** No answer comes before the signal aborts; `"deaf"`: not even then. */
  readonly hangs?: true | "deaf";
  /** The characters of each part of a streamed text; by default, it comes in one. */
  readonly chunk?: number;
  /** Milliseconds of the session's clock. */
  readonly takes?: number;
}

/** A call as the model wrote it. */
export interface CallInReply {
  readonly id: string;
  readonly name: string;
  /** The arguments as a string. */
  readonly input: string;
}

/** Tokens as a provider reports them, sense or nonsense. */
interface CaseUsage {
  readonly input: Json;
  readonly output: Json;
  readonly cached?: Json;
}

/** How a request fails. Without a status, the network does. */
export interface CaseError {
  readonly message: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if the message is thrown as a string. */
  readonly isString?: true;
}

/** A tool. By default it takes a `path`, and returns its own name and the path: `read a`. */
export interface SessionTool {
  readonly name: string;
  readonly inputSchema?: JsonObject;
  readonly returns?: Json;
  /** How many times over the string is returned. */
  readonly times?: number;
  /** True if an image comes with the text. */
  readonly image?: true;
  /** The message of the error that it throws. */
  readonly throws?: string;
  /** It never ends, whatever its signal says. */
  readonly hangs?: true;
  /** Milliseconds that it really takes. */
  readonly pauses?: number;
  /** Milliseconds of the session's clock. */
  readonly takes?: number;
  /** It runs another session, and returns the report. */
  readonly session?: SessionCase;
}

/** What must come of a run. What a row leaves out is not compared, unless its comment says otherwise. */
interface ExpectedRun {
  readonly success: boolean;
  /** The final report without its time; absent means that there is none. */
  readonly report?: JsonObject;
  /** A part of the result's `error`; absent means that there is none. */
  readonly error?: string;
  /** Every request in order. A name alone is a request to that target with all tools and no notice. */
  readonly requests?: readonly (string | ExpectedRequest)[];
  /**
   * The roles in order, with the ids of calls: `user, assistant c1 c2, tool c1, tool c2, assistant`. One of two where
   * frameworks differ in whether they keep an answer whose calls were aborted.
   */
  readonly conversation: string | readonly [string, string];
  /** What the model reads of a call, by id: the whole text, or parts of it. */
  readonly answers?: Readonly<Record<string, string | readonly string[]>>;
  /** The texts of all assistant messages that have one. */
  readonly says?: readonly string[];
  /** Every entry in order: `pa ok`, `read failed: timeout`, or all fields of one. */
  readonly accounting: readonly (string | JsonObject)[];
  /** Milliseconds of every wait between attempts; none by default. */
  readonly waits?: readonly number[];
  /** Fields of all events of the types that are named here, in order. */
  readonly events?: readonly JsonObject[];
  /** The types of events that never come. */
  readonly noEvents?: readonly string[];
  /** The executions, sorted: `read a`. */
  readonly ran?: readonly string[];
  /** The tools whose signal fired. */
  readonly stopped?: readonly string[];
  /** How many executions of a tool there were at once at most. */
  readonly atOnce?: Readonly<Record<string, number>>;
  /** Entries of the sessions that tools ran, each with all its fields but those of time. */
  readonly inner?: readonly JsonObject[];
}

/** A request to a model. */
export interface ExpectedRequest {
  readonly to: string;
  /** True if only the report tool is offered, and the final instruction is the first notice; in XML, it is the last. */
  readonly forced?: true;
  /** The other notices at the end. */
  readonly notices?: readonly string[];
  /** The settings that the model gets. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** The roles of the prompt, if they are not those of the conversation up to there; in XML, all of them. */
  readonly roles?: string;
  /** In XML, the slots that the instructions offer: `0001 0002 FINAL`. */
  readonly slots?: string;
  /** Parts of the texts of the prompt. */
  readonly reads?: readonly string[];
}
