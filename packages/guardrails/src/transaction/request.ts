import type {
  Classification,
  Classify,
  InverseCall,
  Spender,
  StateStore,
} from "../shared/index.ts";
import type { Grants } from "../grants/index.ts";
import type { History, Spendings } from "../ledger/index.ts";
import type { TracedCall, Trace } from "../trace/index.ts";
import type { AnyGuardrail } from "./read-verdict.ts";
import type { AskedCall } from "./check-context.ts";
import type { AskedTransaction, Ended, RefusedTransaction } from "./judgement.ts";
import type { ToolPolicy } from "./policy.ts";

/** What the engine needs of the guardrails. */
export interface Engine {
  /** One object for each set of guardrails. */
  readonly self: object;
  /** Transactions with the same owner may join each other. */
  readonly owner: object;
  readonly store: StateStore<unknown> | undefined;
  readonly classify: Classify | undefined;
  /** Makes and checks the grants of what guardrails ask a person. */
  readonly grants: Grants;
  /** What calls spend from limits; undefined without limits. */
  readonly spendings?: Spendings | undefined;
  /** What ran before, if a guardrail asks; undefined if none does. */
  readonly history?: History | undefined;
  readonly limits: TimeLimits;
  /** Called with what a guardrail threw. */
  readonly onGuardrailError?: AskedCall["onGuardrailError"];
}

/** The engine for one call: its store is that of whoever makes it. */
export function engineFor(engine: Engine, call: Spender): Engine {
  const store = engine.store?.of?.(call);
  return store === undefined ? engine : { ...engine, store, owner: store };
}

/** Milliseconds that parts of an attempt may take. */
export interface TimeLimits {
  /**
   * One check.
   *
   * @default 5_000
   */
  readonly guardrail: number;
  /**
   * A tool that holds locks or spends from limits.
   *
   * @default 60_000
   */
  readonly tool: number;
  /**
   * One compensation, or one effect after the commit.
   *
   * @default 30_000
   */
  readonly effect: number;
  /**
   * One answer of the ledger.
   *
   * @default 10_000
   */
  readonly store: number;
}

/** How a call would have ended if it were not only observed. */
export type ObservedEnd = Ended<RefusedTransaction | AskedTransaction> | ClosingFailure;

/** A failure that no lane counts, and after which the tool may be closed. */
interface ClosingFailure {
  readonly kind: "closing";
  readonly failure: Classification;
}

/** A call that is about to run. */
export interface TransactionRequest extends TracedCall, AskedCall {
  readonly callId: string;
  readonly policy: ToolPolicy;
  /** The guardrails to ask before the tool runs. */
  readonly before: readonly AnyGuardrail[];
  readonly trace: Trace;
  /** Masks what a tool's author calls an effect: it reaches the model, telemetry and the log. */
  readonly sanitize: (name: string, maxLength: number) => string;
  readonly run: () => unknown;
  /** Says once that the key of the call is good in this process alone. */
  readonly noteKey: () => void;
  /** True if the host runs a call once, so that nothing may be repeated. */
  readonly runsOnce: boolean;
  /** True if the model wrote the code that runs, so that its bugs can be repaired. */
  readonly repairsBugs: boolean;
  /**
   * Set if nothing may be refused: called with what would have been, and the call goes on. What its tool did stays, and what it returned
   * or threw is what the host gets.
   */
  readonly observe?: ((end: ObservedEnd) => Promise<void>) | undefined;
  readonly callTool?:
    | ((name: string, args: InverseCall["arguments"]) => Promise<unknown>)
    | undefined;
}
