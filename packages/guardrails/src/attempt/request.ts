import type { Classify, InverseCall, StateStore } from "../shared/index.ts";
import { errorClass } from "@toolcontract/core/adapter";
import type { AnyGuardrail, CheckFacts } from "./checks.ts";
import type { ToolPolicy } from "./policy.ts";
import type { CallPlace } from "./sequences.ts";
import type { Trace } from "./trace.ts";

/** What the engine needs of the guardrails. */
export interface Engine {
  /** Attempts with the same owner may join each other. */
  readonly owner: object;
  readonly store: StateStore<unknown> | undefined;
  readonly classify: Classify | undefined;
  readonly limits: TimeLimits;
}

/** Milliseconds that parts of an attempt may take. */
export interface TimeLimits {
  /** One check; 5,000 by default. */
  readonly guardrail: number;
  /** A tool that holds locks; 60,000 by default. */
  readonly tool: number;
  /** One compensation, or one effect after the commit; 30,000 by default. */
  readonly effect: number;
}

/** A call that is about to run. */
export interface AttemptRequest extends CallPlace {
  readonly args: unknown;
  readonly policy: ToolPolicy;
  /** The guardrails to ask before the tool runs. */
  readonly before: readonly AnyGuardrail[];
  readonly trace: Trace;
  /** The number of the attempt in the guardrail lane. */
  readonly guardrailAttempt: number;
  readonly signal?: AbortSignal | undefined;
  readonly run: () => unknown;
  /** True if the host runs a call once, so that nothing may be repeated. */
  readonly runsOnce: boolean;
  /** True if the model wrote the code that runs, so that its bugs can be repaired. */
  readonly repairsBugs: boolean;
  readonly callTool?:
    | ((name: string, args: InverseCall["arguments"]) => Promise<unknown>)
    | undefined;
  /** Writes to the log; never a value. */
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What guardrails are asked about; a call that is only checked may not have an id yet. */
type Asked = Pick<
  AttemptRequest,
  "tool" | "args" | "guardrailAttempt" | "conversationId" | "signal" | "log"
> & { readonly callId?: string | undefined };

/** What guardrails are asked with. */
export function factsOf(
  { tool, args, guardrailAttempt, callId, conversationId, signal, log }: Asked,
  limits: TimeLimits,
  seen: Pick<CheckFacts, "state" | "touched" | "result">,
): CheckFacts {
  return {
    tool,
    args,
    attempt: guardrailAttempt,
    callId,
    conversationId,
    signal,
    limit: limits.guardrail,
    onFault: (guardrail, thrown) =>
      log("A guardrail failed", { guardrail, error: errorClass(thrown) }),
    ...seen,
  };
}
