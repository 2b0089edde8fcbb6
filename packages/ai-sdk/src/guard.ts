import {
  type AttemptCount,
  type Contract,
  type ContractLogger,
  type ContractOptions,
  countAttempts,
  createContract,
  type ModelTurn,
  type Rule,
  ToolContractError,
} from "@toolcontract/core";
import type { ModelMessage, ToolSet } from "ai";
import { createRecentCalls, type RecentCalls } from "./recent-calls.ts";
import { createToolDefinitions, type ToolDefinitions } from "./tool-definitions.ts";
import { turnsFromMessages } from "./turns-from-messages.ts";
import { logNameRepair } from "./name-repair-logger.ts";
import type { AdapterOptions, Escalate, GivenContract } from "./with-contract-options.ts";

/** The options as far as the types of the tools do not matter. */
type GuardOptions = Pick<
  AdapterOptions<ToolSet>,
  "tools" | "escalate" | "repairNames" | "conversationId"
> & { readonly stopWhen?: unknown } & (
    | GivenContract
    | (ContractOptions & { readonly contract?: never })
  );

/** What the parts of one guarded tool set share. */
export interface Guard {
  readonly contract: Contract;
  readonly definitions: ToolDefinitions;
  readonly toolNames: readonly string[];
  readonly conversationId: string;
  readonly escalate: Escalate;
  readonly repairNames: boolean;
  readonly logger: ContractLogger;
  readonly recent: RecentCalls;
  /** The failed attempts that a message history shows of a tool. */
  countFrom(messages: readonly ModelMessage[], toolName: string): AttemptCount;
  /** The tools whose attempts a message history shows to be spent. */
  blockedIn(messages: readonly ModelMessage[]): ReadonlySet<string>;
}

/** Every option of the adapter's own, so that the rest can only be the contract's. */
const ADAPTER_OPTIONS: Readonly<Record<keyof AdapterOptions<ToolSet>, true>> = {
  tools: true,
  escalate: true,
  repairToolCall: true,
  stopWhen: true,
  prepareStep: true,
  activeTools: true,
  repairNames: true,
  conversationId: true,
};
const BESIDE_CONTRACT: readonly string[] = ["contract", "scope", "logger"];
const ESCALATE: readonly string[] = ["drop-tool", "stop", "throw"];

/** Reads the options and puts the shared parts together. */
export function createGuard(options: GuardOptions): Guard {
  checkOptions(options);
  const { tools, scope = "run", conversationId = "ai-sdk", repairNames = false } = options;
  const { contract, rules } = contractOf(options);
  const toolNames = Object.keys(tools);
  const declaredTools = new Set(toolNames);
  const recent = createRecentCalls();
  const count = (turns: readonly ModelTurn[], name: string): AttemptCount =>
    countAttempts(turns, name, scope, { declaredTools });
  return {
    contract,
    definitions: createToolDefinitions(tools, contract, rules),
    toolNames,
    conversationId,
    escalate: options.escalate ?? "drop-tool",
    repairNames,
    logger: options.logger ?? logNameRepair,
    recent,
    countFrom: (messages, toolName) => count(turnsFromMessages(messages, recent.markerOf), toolName),
    blockedIn(messages) {
      const turns = turnsFromMessages(messages, recent.markerOf);
      const called = new Set(turns.flatMap(({ calls }) => calls.map(({ name }) => name)));
      return new Set([...called].filter((name) => count(turns, name).blocked));
    },
  };
}

/** Rules move to the tools' definitions: there they run once, when the arguments are judged. */
function contractOf(options: GuardOptions): {
  readonly contract: Contract;
  readonly rules: Readonly<Record<string, readonly Rule<never>[]>>;
} {
  if (options.contract !== undefined) return { contract: options.contract, rules: {} };
  const given = Object.entries(options).filter(([name]) => !Object.hasOwn(ADAPTER_OPTIONS, name));
  const all: ContractOptions = Object.fromEntries(given);
  // Checked with all of them, so that wrong rules are told in core's words.
  if (all.rules !== undefined) createContract(all);
  const { rules = {}, ...others } = all;
  return { contract: createContract(others), rules };
}

function checkOptions(options: GuardOptions): void {
  if (typeof options?.tools !== "object" || options.tools === null) {
    throw new ToolContractError("withContract: pass the tools, such as { tools: { read_file } }.");
  }
  const { contract, escalate, stopWhen } = options;
  const beside = Object.keys(options).filter(
    (name) => !Object.hasOwn(ADAPTER_OPTIONS, name) && !BESIDE_CONTRACT.includes(name),
  );
  if (contract !== undefined && beside.length > 0) {
    throw new ToolContractError(
      `withContract: pass either a contract or its options, not both; '${beside[0]}' belongs to createContract.`,
    );
  }
  if (escalate !== undefined && !ESCALATE.includes(escalate)) {
    throw new ToolContractError(
      'withContract: option \'escalate\' must be "drop-tool" or "stop" or "throw".',
    );
  }
  if ((escalate === "stop" || escalate === "throw") && stopWhen === undefined) {
    throw new ToolContractError(
      `withContract: escalate "${escalate}" works between the steps of a loop; pass stopWhen too, such as isStepCount(8).`,
    );
  }
}
