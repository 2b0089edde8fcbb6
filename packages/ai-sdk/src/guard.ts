import {
  type Contract,
  type ContractLogger,
  type ContractOptions,
  createContract,
  type Rule,
} from "@toolcontract/core";
import type { ToolSet } from "ai";
import { type AttemptCounter, createAttemptCounter } from "./attempt-counter.ts";
import { checkOptions, isContractOption } from "./check-options.ts";
import { logToConsole } from "./console-logger.ts";
import { createRecentCalls, type RecentCalls } from "./recent-calls.ts";
import { createToolDefinitions, type ToolDefinitions } from "./tool-definitions.ts";
import type { AdapterOptions, Escalate, GivenContract } from "./with-contract-options.ts";

/** The options as far as the types of the tools do not matter. */
type GuardOptions = Pick<
  AdapterOptions<ToolSet>,
  "tools" | "escalate" | "repairNames" | "conversationId"
> &
  (GivenContract | (ContractOptions & { readonly contract?: never }));

/** What the parts of one guarded tool set share. */
export interface Guard {
  readonly contract: Contract;
  readonly definitions: ToolDefinitions;
  readonly attempts: AttemptCounter;
  readonly recent: RecentCalls;
  readonly toolNames: readonly string[];
  readonly conversationId: string;
  readonly escalate: Escalate;
  readonly repairNames: boolean;
  readonly logger: ContractLogger;
}

/** Reads the options and puts the shared parts together. */
export function createGuard(options: GuardOptions): Guard {
  checkOptions(options);
  const { tools, scope = "run", logger = logToConsole } = options;
  const { contract, rules } = contractOf(options);
  const toolNames = Object.keys(tools);
  const recent = createRecentCalls();
  return {
    contract,
    definitions: createToolDefinitions(tools, contract, rules),
    attempts: createAttemptCounter({ scope, toolNames, markerOf: recent.markerOf }),
    recent,
    toolNames,
    conversationId: options.conversationId ?? "ai-sdk",
    escalate: options.escalate ?? "drop-tool",
    repairNames: options.repairNames ?? false,
    logger: safely(logger),
  };
}

/** Rules move to the tools' definitions: there they run once, when the arguments are judged. */
function contractOf(options: GuardOptions): {
  readonly contract: Contract;
  readonly rules: Readonly<Record<string, readonly Rule<never>[]>>;
} {
  if (options.contract !== undefined) return { contract: options.contract, rules: {} };
  const given = Object.entries(options).filter(([name]) => isContractOption(name));
  const all: ContractOptions = Object.fromEntries(given);
  // Checked with all of them, so that wrong rules are told in core's words.
  if (all.rules !== undefined) createContract(all);
  const { rules = {}, ...others } = all;
  return { contract: createContract(others), rules };
}

/** A logger that throws changes nothing. */
function safely(logger: ContractLogger): ContractLogger {
  return (fields, message) => {
    try {
      logger(fields, message);
    } catch {
      // Core reports a broken logger for its own entries.
    }
  };
}
