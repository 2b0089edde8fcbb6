import {
  type AskRequest,
  type AttemptStore,
  ToolContractError,
  type Ledger,
} from "@toolcontract/core";
import type { ExecutionStage, StageReports } from "@toolcontract/core/stage";
import { checkMembers, errorClass, isObject, isString } from "@toolcontract/core/adapter";
import { callsIn, createHealth, createSequences, entriesIn, recordsIn } from "./trace/index.ts";
import {
  type Evidence,
  type OpenEntry,
  type Reconciled,
  type Spend,
  createHistory,
  createSpendings,
  reconcile,
  recover,
} from "./ledger/index.ts";
import { type GrantOptions, type GrantedBy, createGrants } from "./grants/index.ts";
import { type TimeLimits, createPolicies } from "./transaction/index.ts";
import { checkCommit, checkNames, namedTools } from "./check-contradictions.ts";
import { checkPlaces } from "./check-places.ts";
import { type On, createListeners } from "./listeners.ts";
import { resolveOptions } from "./options.ts";
import { type RunOptions, type RunResult, runLoop } from "./run.ts";
import {
  type AttemptFailure,
  type Classify,
  type Compensation,
  type Effect,
  type Guardrail,
  type LimitOptions,
  type LimitUsage,
  type MaybePromise,
  type Spender,
  type StateStore,
  type TerminalReason,
  type ToolHealth,
  registerGuardrailCodes,
} from "./shared/index.ts";
import { createClosings } from "./closings.ts";
import { log } from "./stage-call.ts";
import { createStage } from "./stage.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- arguments are typed by the tool, which a guardrail of several tools cannot name
type Untyped = any;

/** Something for each tool, or for some of them. */
type ByTool<Tool extends string, Value> = { readonly [Name in NoInfer<Tool>]?: Value };

/**
 * How guardrails, attempts and outcomes behave; only `guardrails` has no default.
 *
 * @example
 * ```ts
 * const options: GuardrailsOptions<object> = { guardrails: [], effects: { pay: "irreversible" }, budgets: { guardrail: 1 } };
 * ```
 * @see docs/guardrails.md
 */
export interface GuardrailsOptions<
  State,
  Limit extends string = string,
  Tool extends string = string,
> {
  /** The policies, in the order in which they are asked and reported. */
  readonly guardrails: readonly Guardrail<NoInfer<State>, Untyped, Untyped, NoInfer<Tool>>[];
  /**
   * The names of all tools of the host: a name in any other option is then one of them, for the compiler and when the guardrails are made.
   *
   * @remarks For one object in several agents, such as one and its sub-agents, name the tools of all: then each may lack some.
   * @default every agent has all tools that the other options name
   */
  readonly tools?: readonly Tool[];
  /** The state that attempts change, such as `slotStore({ … })`. */
  readonly store?: StateStore<State>;
  /**
   * What each tool does to the world, which decides what is undone; a tool that is not named counts as irreversible.
   * Required for each tool of a commit guardrail: for every tool of the host, unless the guardrail names its own.
   */
  readonly effects?: ByTool<Tool, Effect>;
  /**
   * How many retries each lane grants; `generation` is for `run` alone. `run`: how many calls of a tool guardrails may refuse in
   * one run, whatever succeeds between them, before it is closed with `refusals_exhausted`.
   *
   * @default `{ generation: 2, guardrail: 2, outcome: 1 }`, and no limit for a run
   */
  readonly budgets?: Readonly<
    Partial<Record<"generation" | "guardrail" | "outcome" | "run", number>>
  >;
  /**
   * The slots that each tool touches; `[]` for a tool without state.
   *
   * @default all of them
   */
  readonly locks?: ByTool<Tool, readonly string[]>;
  /** Undoes what a tool did, by tool name, for tools that cannot register it themselves. */
  readonly compensate?: ByTool<Tool, Compensation<Untyped, Untyped>>;
  /** What a tool's result does to the state, by tool name, for tools that run elsewhere. */
  readonly stateChanges?: ByTool<
    Tool,
    (change: StateChangeOf<NoInfer<State>>) => MaybePromise<void>
  >;
  /** How much may be spent, by the names of limits: a limit holds whatever becomes of the calls. */
  readonly limits?: Readonly<Record<Limit, LimitOptions>>;
  /** What each tool may spend, by tool name: reserved before the tool runs, and given back only if nothing has happened. */
  readonly spends?: ByTool<Tool, Spend<NoInfer<Limit>, Untyped, Untyped>>;
  /**
   * Where limits are counted, such as `sqliteLedger(database)` for the processes of a machine.
   *
   * @default `memoryLedger()`: in this process, until it ends
   */
  readonly ledger?: Ledger;
  /** Signs the grants of calls that a guardrail asks a person about, and says where those that were used are kept. */
  readonly grants?: GrantOptions;
  /** Overrides the classification of failures; returns nothing for all others. */
  readonly classify?: Classify;
  /**
   * Called with what a guardrail threw, or why its answer was invalid: for operators, never for the model. Nobody waits for it, so it
   * may not be asynchronous.
   */
  readonly onGuardrailError?: (error: unknown, context: GuardrailErrorContext) => void | undefined;
  /**
   * Milliseconds since the epoch, for telemetry and the windows of limits.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
  /**
   * Milliseconds: a check (5,000), a tool that holds locks or spends (60,000), a compensation or an effect after commit
   * (30,000), an answer of the ledger (10,000).
   */
  readonly timeLimits?: Partial<TimeLimits>;
  /**
   * Where closed tools, failed attempts, the counts of `health()` and the calls that must not run again are kept, such as
   * `sqliteAttempts(database)`: a restart then opens no closed tool, repeats no payment and forgets no failure and no count.
   *
   * @default in this process, until it ends
   */
  readonly records?: AttemptStore;
  /**
   * Whether `records` also keeps what those calls returned, up to 64 kB each: another process then answers such a call with its
   * result, and not only that it has run. Results may hold what users have said; without it, none of them leaves this process.
   *
   * @default false
   */
  readonly keepResults?: boolean;
  /** Reasons of your own that close a tool at once, such as `account_frozen`; they are known in the whole process. */
  readonly terminalReasons?: readonly TerminalReason[];
}

/** Which guardrail failed, and for which call. */
export interface GuardrailErrorContext {
  /** Its name. */
  readonly guardrail: string;
  /** The tool's name. */
  readonly tool: string;
  /** The provider's id of the call, if the host has named it yet. */
  readonly callId?: string;
}

/** What a function of `stateChanges` gets. */
export interface StateChangeOf<State> {
  /** The tool's name. */
  readonly tool: string;
  /** The arguments that it got. */
  readonly args: Untyped;
  /** What it returned. */
  readonly result: Untyped;
  /** The staged state. */
  readonly state: State;
}

/** A set of guardrails: the stage that a contract's option `guardrails` takes, and a loop for applications that own it. */
export interface Guardrails<State = unknown, Limit extends string = string> extends ExecutionStage {
  /** The store that was passed. */
  readonly store: StateStore<State> | undefined;
  /**
   * Generates, checks and executes until an attempt succeeds or a budget is spent.
   *
   * @returns `{ status: "ok", value }`, or the typed outcome. What the tool throws and no other generation could repair is
   * thrown as the same object, after rollback.
   */
  run<Args, Value>(options: RunOptions<State, Args, Value>): Promise<RunResult<Value>>;
  /**
   * How much of a limit is used, by whoever its scope names.
   *
   * @throws ToolContractError if there is no such limit, or its scope has no value.
   */
  usage(
    limit: Limit,
    of?: Pick<Spender, "conversationId" | "runId" | "context">,
  ): Promise<LimitUsage>;
  /**
   * Asks about each call that may have spent, and of which nobody knows whether it did: its amounts are then spent, given back,
   * or stay in doubt. A call that is still under way is not asked about.
   *
   * @param ask - Answers what is known, such as what the provider says of the entry's `idempotencyKey`.
   */
  reconcile(ask: (entry: OpenEntry) => Evidence | Promise<Evidence>): Promise<Reconciled>;
  /**
   * Grants a call that a guardrail has asked about: an opaque string, good for one call of this tool with these arguments in this
   * scope. Pass it as `context: { grants: [grant] }`; the guardrails are asked again, and it answers only what was asked.
   *
   * @throws ToolContractError if the request was changed, or was not asked by guardrails with this secret.
   */
  grant(request: AskRequest, by: GrantedBy): Promise<string>;
  /**
   * Opens a tool again in a run of a conversation, once what was missing is there: a failure such as HTTP 401 has closed it.
   *
   * @returns False if it was not closed.
   */
  reopen(tool: string, of: Pick<Spender, "conversationId" | "runId">): Promise<boolean>;
  /**
   * The failed attempts of a tool in a run of a conversation, oldest first, up to the latest hundred: for operators, also of calls that
   * were repaired. With `records` they outlive a restart; otherwise those of the latest sequence are known.
   */
  failures(
    tool: string,
    of: Pick<Spender, "conversationId" | "runId">,
  ): Promise<readonly AttemptFailure[]>;
  /**
   * Adds a listener to the attempts of all contracts that have these guardrails, and of `run`, which belongs to none: `"attempt"` is each
   * stage of each attempt, `"tool-pressure"` a tool that fails too often. What it throws affects no call.
   *
   * @returns The function that removes it.
   * @throws ToolContractError if there is no such event.
   */
  readonly on: On;
  /** How each tool has fared since the guardrails were created; with `records`, in all processes that share them. */
  health(): Readonly<Record<string, ToolHealth>>;
}

/**
 * Creates guardrails for the option `guardrails` of a contract, in core and in every adapter.
 *
 * @throws ToolContractError if an option is missing, unknown or contradicts another one, also if a commit guardrail covers
 *   a tool whose calls could not be undone.
 * @example
 * ```ts
 * const guardrails = createGuardrails({
 *   guardrails: [{ name: "small", check: ({ args }) => args.qty > 5 && { message: "at most 5" } }],
 * });
 * const contract = createContract({ guardrails });
 * ```
 * @see docs/guardrails.md
 */
export function createGuardrails<
  State = unknown,
  Limit extends string = string,
  const Tool extends string = string,
>(options: GuardrailsOptions<State, Limit, Tool>): Guardrails<State, Limit> {
  const resolved = resolveOptions(options);
  registerGuardrailCodes();
  const { store, classify, clock, timeLimits, budgets, limits, spends, ledger } = resolved;
  const spending = {
    limits,
    spends,
    ledger,
    clock,
    storeLimit: timeLimits.store,
    toolLimit: timeLimits.tool,
  };
  const watched = new Set(resolved.guardrails.flatMap(({ watches = [] }) => watches));
  const history =
    watched.size === 0 ? undefined : createHistory(watched, { ...spending, clock: () => steady() });
  const steady = steadyClock(clock, (fields) => log(listeners.reports(), NO_TIME, fields));
  const grants = createGrants(resolved.grants, ledger, clock);
  const named = namedTools(resolved);
  const policyOf = createPolicies(resolved);
  const noted = new Set<string>();
  const listeners = createListeners();
  const logRecords = (message: string, fields: Readonly<Record<string, unknown>>): void =>
    log(listeners.reports(), message, fields);
  const records = resolved.records && recordsIn(resolved.records, logRecords, timeLimits.store);
  const shared = records && entriesIn(records);
  const spendings = limits.size === 0 ? undefined : createSpendings({ ...spending, shared });
  const closings = createClosings(records, budgets.run);
  const services = {
    closings,
    sequences: createSequences(records),
    health: createHealth(steady, records),
    elsewhere: records && callsIn(records, resolved.keepResults),
    clock: steady,
    policyOf,
    budgets,
    lanes: { guardrail: budgets.guardrail + 1, outcome: budgets.outcome + 1 },
    engine: {
      self: resolved,
      owner: store?.resource ?? store ?? resolved,
      onGuardrailError: resolved.onGuardrailError,
      store,
      classify,
      grants,
      spendings,
      history,
      limits: timeLimits,
    },
    listeners,
    checkNames: (names: readonly string[]) => checkNames(named, names, resolved.tools),
    checkCommit: (names: readonly string[]) => checkCommit(names, resolved),
    noteOnce(message: string, tool: string, reports: StageReports): void {
      const key = `${message} ${tool}`;
      if (noted.has(key) || noted.size >= MAX_NOTED) return;
      noted.add(key);
      log(reports, message, { tool_name: tool });
    },
  };
  return {
    ...createStage(services),
    checkPlaces: (where, known) => checkPlaces(where, known, options),
    async reopen(tool, of) {
      checkMembers("guardrails.reopen", of, RUN);
      return closings.reopen({ tool, conversationId: of.conversationId, runId: of.runId });
    },
    store: options.store,
    on: listeners.on,
    run: async (run) => runLoop(run, services),
    async usage(limit, of = {}) {
      checkMembers("guardrails.usage", of, SPENDER);
      if (!spendings) return noLimits("usage");
      await recover(spending);
      return spendings.usage(limit, of);
    },
    reconcile: async (ask) => (spendings ? reconcile(ask, spending) : noLimits("reconcile")),
    grant: async (request, by) => grants.grant(request, by),
    async failures(tool, of) {
      checkMembers("guardrails.failures", of, RUN);
      return services.sequences.failuresOf({ tool, ...of });
    },
    health: () => services.health.snapshot(),
  };
}

const RUN = { conversationId: isString, runId: isString };
const SPENDER = { ...RUN, context: isObject };
const MAX_NOTED = 1_000;
const NO_TIME = "The clock tells no time, so counts and events go by the clock of the process";

/** A clock for counts and events, which go on without one; limits need the right time, and refuse. */
function steadyClock(
  clock: () => number,
  onFault: (fields: Readonly<Record<string, unknown>>) => void,
): () => number {
  let isReported = false;
  return () => {
    let error = "no number";
    try {
      const now: unknown = clock();
      if (typeof now === "number" && Number.isFinite(now)) return now;
    } catch (thrown) {
      error = errorClass(thrown);
    }
    if (!isReported) onFault({ error });
    isReported = true;
    return Date.now();
  };
}

function noLimits(method: string): never {
  throw new ToolContractError(
    `guardrails.${method}: there are no limits. Pass createGuardrails({ limits, spends }).`,
  );
}
