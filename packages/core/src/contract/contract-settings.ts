import type { LogFields } from "../observe/index.ts";
import type { ExecutionStage } from "../shared/index.ts";
import type { ContractOptions } from "./options.ts";
import type { ContractServices } from "./services.ts";

/** Options of a contract that adapters need, defaults filled in, and its logger. */
export interface ContractSettings extends Readonly<
  Required<
    Pick<
      ContractOptions,
      | "mode"
      | "maxAttempts"
      | "scope"
      | "onBlocked"
      | "overBudget"
      | "unwrapStrings"
      | "reportAdvisories"
      | "clock"
    >
  >
> {
  /**
   * True if a valid call may not run after all, so that its tool must run inside the contract: a stage is registered, the calls of a
   * turn are limited, or equal ones run once.
   */
  readonly runsTools: boolean;
  /** True if a stage is registered: what a tool did may be refused. */
  readonly hasStage: boolean;
  /** Whether a stage is registered that may judge calls of a tool. */
  readonly judges: (tool: string) => boolean;
  /**
   * Passes the names of the host's tools to the stage; `areAll: false` if the host has others, too.
   *
   * @throws ToolContractError if the stage names a tool that the host does not have, or could not do for one of them what
   *   it promises.
   */
  readonly checkTools: (names: readonly string[], areAll?: boolean) => void;
  /** What a tool is declared to change: `"none"`, or any other word if it changes something; undefined if nothing is declared. */
  readonly effectOf: (tool: string) => string | undefined;
  /**
   * For a host that does not know where each call is made: `where` is the function that its user has called.
   *
   * @throws ToolContractError if the stage could judge no call without what is not known.
   */
  readonly checkPlaces: NonNullable<ExecutionStage["checkPlaces"]>;
  /** Writes to the contract's logger; never throws. */
  readonly log: (fields: LogFields, message: string) => void;
  /** Says once in the log that nothing validates the arguments of a tool. */
  readonly unjudged: (toolName: string) => void;
  /**
   * Reports a stage of the adapter that failed: one log line and one event for each stage and tool. `stage` must be a
   * fixed word of the adapter.
   */
  readonly degraded: (stage: string, thrown: unknown, toolName?: string) => void;
}

/** Reads the settings from the services of a contract. */
export function contractSettings({ options, reporter }: ContractServices): ContractSettings {
  const { mode, maxAttempts, scope, onBlocked, overBudget, unwrapStrings } = options;
  const { reportAdvisories, clock } = options;
  const hasStage = options.guardrails !== undefined;
  const { maxCallsPerTurn, repeatedCalls } = options;
  const runsTools = hasStage || maxCallsPerTurn !== undefined || repeatedCalls === "once";
  const log = (fields: LogFields, message: string): void =>
    reporter.report({ kind: "noted", fields, message });
  const checkTools = (names: readonly string[], areAll = true): void => {
    if (areAll) options.guardrails?.checkTools?.(names);
    options.guardrails?.checkCallable?.(names);
  };
  return {
    mode,
    maxAttempts,
    scope,
    onBlocked,
    overBudget,
    unwrapStrings,
    reportAdvisories,
    clock,
    runsTools,
    hasStage,
    judges: (tool) => hasStage && options.guardrails?.judges?.(tool) !== false,
    effectOf: (tool) => options.guardrails?.effectOf?.(tool),
    checkTools,
    checkPlaces: (where, known) => {
      // What is only observed is refused nowhere.
      if (mode === "enforce") options.guardrails?.checkPlaces?.(where, known);
    },
    log,
    unjudged: (toolName) => reporter.once({ kind: "unjudged", toolName }),
    degraded: reporter.fault,
  };
}
