import type { AccountingEntry } from "./entries.ts";
import type { ErrorKind } from "./errors.ts";

/** Why a turn is the last one. */
export type ForcedReason =
  | "max_turns"
  | "context"
  | "report_failed"
  /** `maxTokens` or `maxCost`: another turn after this one would not fit. */
  | "budget"
  /** The same call had the same result again and again. */
  | "no_progress";

/** A target, by the names that its model gives. */
interface TargetNames {
  /** The provider's name. */
  readonly provider: string;
  /** The model's id. */
  readonly model: string;
}

/** What a session reports to operators, each at most once per cause. Names of tokens are those of the contract. */
export type SessionEvent =
  | {
      readonly type: "llm-request";
      /** The number of the turn, from 1. */
      readonly turn: number;
      /**
       * What the last answer left in the conversation, as its provider counted it; 0 in the first turn. All tokens are 0 if
       * no target has a `contextWindow`: nothing is counted then.
       */
      readonly ctxTokens: number;
      /** What was added since, estimated. */
      readonly newTokens: number;
      /** The schemas of the tools on offer, estimated. */
      readonly schemaTokens: number;
      /** `ctxTokens + newTokens + schemaTokens`. */
      readonly expectedTokens: number;
      /** Why this turn is the last, if it is. */
      readonly forcedFinalTurnReason?: ForcedReason;
    }
  | (TargetNames & {
      readonly type: "attempt-failed";
      /** The number of the turn, from 1. */
      readonly turn: number;
      /** The number of the attempt in its turn, from 1. */
      readonly attempt: number;
      /** What went wrong. */
      readonly kind: ErrorKind;
      /** Why, in one safe line. */
      readonly reason: string;
      /** The HTTP status, if the provider sent one. */
      readonly status?: number;
      /** Milliseconds until the next attempt; absent if there is none. */
      readonly waits?: number;
      /** Milliseconds for which the target asked to be left alone, if that is more than `maxRateLimitWait`. */
      readonly askedFor?: number;
      /** Where the next attempt goes; absent if there is none. */
      readonly next?: TargetNames;
      /** How many attempts the turn has in total. */
      readonly maxRetries: number;
    })
  | {
      readonly type: "context-exceeded";
      /** What was about to be added: the result of a tool, or the next request. */
      readonly guard: "tool_preflight" | "turn_preflight";
      /** The targets into which the request would not fit. */
      readonly blocked: readonly TargetNames[];
      /** The tool whose result did not fit. */
      readonly tool?: string;
      /** What the request would have taken. */
      readonly projected_tokens: number;
      /** What fits into the smallest target. */
      readonly limit_tokens: number;
      /** What was left before. */
      readonly remaining_tokens: number;
    }
  | {
      /** The request of the forced final turn still does not fit, and is sent anyway. */
      readonly type: "post-shrink";
      /** How many tokens the request will have. */
      readonly projected_tokens: number;
      /** What fits into the smallest target. */
      readonly limit_tokens: number;
    }
  | {
      readonly type: "tool-truncated";
      /** The tool's name. */
      readonly tool: string;
      /** The size of the whole result, in UTF-8 bytes. */
      readonly bytes: number;
      /** How many of them are kept at most. */
      readonly limit: number;
    }
  | {
      /** A call waits for a place in its queue. */
      readonly type: "tool-queued";
      /** The tool's name. */
      readonly tool: string;
      /** The queue's name. */
      readonly queue: string;
      /** How many calls run in the queue. */
      readonly running: number;
      /** How many wait, this one included. */
      readonly waiting: number;
    }
  | {
      readonly type: "tool-timeout";
      /** The tool's name. */
      readonly tool: string;
      /** Milliseconds that the tool had. */
      readonly limit: number;
    }
  | {
      /** A request to a model, or the execution of a tool, has ended. */
      readonly type: "entry";
      /** The number of the turn, from 1. */
      readonly turn: number;
      /** Its entry in the accounting, with what it cost, if that is known. */
      readonly entry: AccountingEntry;
    }
  | {
      /** The last turn comes now, because another one would pass a limit of the run. */
      readonly type: "budget-exceeded";
      /** The option that sets the limit. */
      readonly limit: "maxTokens" | "maxCost";
      /** Tokens or US dollars that the run, and the runs inside it, have taken. */
      readonly spent: number;
      /** What the option allows. */
      readonly max: number;
    }
  | {
      /** The same call had the same result; the model is told once, and then has one last turn. */
      readonly type: "no-progress";
      /** The tool's name. */
      readonly tool: string;
      /** How often. */
      readonly times: number;
      /** Whether the next turn is the last one. */
      readonly isLast: boolean;
    }
  | {
      /** Text that is not whole is the report, because no attempt was left. */
      readonly type: "report-truncated";
      /** What ended it. */
      readonly reason: "length" | "content_filter";
    }
  | {
      /** Text without a call was taken for the report, although the model was asked for one (`plainText: "nudge"`). */
      readonly type: "text-accepted";
    }
  | {
      readonly type: "report-failed";
      /** Everything that the model sent. */
      readonly payload: string;
      /** What the model read about it. */
      readonly reason: string;
    }
  | {
      readonly type: "report-normalized";
      /** The format that the model named: one safe line of at most 64 characters; undefined if it named none. */
      readonly given: string | undefined;
      /** The session's format, which the report has. */
      readonly expected: string;
    }
  | {
      /** Something that cannot be judged, said once per run. */
      readonly type: "not-judged";
      /** What is missing or unknown. */
      readonly what: "usage" | "stop-reason" | "provider-tool" | "middleware" | "model" | "price";
      /** One sentence about it. */
      readonly detail: string;
    };
