import type { ErrorKind } from "./errors.ts";

/** Why a turn is the last one. */
export type ForcedReason = "max_turns" | "context" | "report_failed";

/** What a session reports to operators, each at most once per cause. Names of tokens are those of the contract. */
export type SessionEvent =
  | {
      readonly type: "llm-request";
      readonly turn: number;
      readonly ctxTokens: number;
      readonly newTokens: number;
      readonly schemaTokens: number;
      /** `ctxTokens + newTokens + schemaTokens`. */
      readonly expectedTokens: number;
      readonly forcedFinalTurnReason?: ForcedReason;
    }
  | {
      readonly type: "attempt-failed";
      readonly turn: number;
      readonly attempt: number;
      readonly provider: string;
      readonly model: string;
      readonly kind: ErrorKind;
      /** Milliseconds until the next attempt; absent if there is none. */
      readonly waits?: number;
    }
  | {
      readonly type: "context-exceeded";
      readonly guard: "tool_preflight" | "turn_preflight";
      /** The targets into which the request would not fit. */
      readonly blocked: readonly { readonly provider: string; readonly model: string }[];
      readonly tool?: string;
      readonly projected_tokens: number;
      readonly limit_tokens: number;
      readonly remaining_tokens: number;
    }
  | {
      /** The request of the forced final turn still does not fit, and is sent all the same. */
      readonly type: "post-shrink";
      readonly projected_tokens: number;
      readonly limit_tokens: number;
    }
  | {
      readonly type: "tool-truncated";
      readonly tool: string;
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly type: "tool-timeout"; readonly tool: string; readonly limit: number }
  | {
      readonly type: "report-failed";
      /** Everything that the model sent. */
      readonly payload: string;
      readonly reason: string;
    }
  | {
      readonly type: "report-normalized";
      readonly given: string | undefined;
      readonly expected: string;
    }
  | {
      /** Something that cannot be judged, said once per run. */
      readonly type: "not-judged";
      readonly what: "usage" | "stop-reason" | "provider-tool" | "price";
      readonly detail: string;
    };
