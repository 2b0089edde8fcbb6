import { type Contract, ToolContractError } from "@toolcontract/core";
import {
  contractFrom,
  type Expectation,
  type Expectations,
  isBoolean,
  isFunction,
  isObject,
  isText,
  oneOf,
} from "@toolcontract/core/adapter";
import type { ToolSet } from "ai";
import { type AttemptCounter, createAttemptCounter } from "./attempt-counter.ts";
import { createRecentCalls, type RecentCalls } from "./recent-calls.ts";
import { createToolDefinitions, type ToolDefinitions } from "./tool-definitions.ts";
import type { AdapterOptions, Escalate } from "./with-contract-options.ts";

/** The options as far as the types of the tools do not matter. */
type GuardOptions = Pick<
  AdapterOptions<ToolSet>,
  "tools" | "escalate" | "repairNames" | "conversationId"
> & { readonly activeTools?: readonly string[] };

const OPTIONS: Expectations & Readonly<Record<keyof AdapterOptions<ToolSet>, Expectation>> = {
  tools: {
    wants: "an object of tools by name, such as { read_file }",
    fits: (value) => isObject.fits(value) && Object.values(value as object).every(isObject.fits),
  },
  escalate: oneOf("drop-tool", "stop", "throw"),
  repairToolCall: isFunction,
  stopWhen: {
    wants: "a stop condition such as stepCountIs(8), or a list of them",
    fits: (value) => [value].flat().every(isFunction.fits),
  },
  prepareStep: isFunction,
  activeTools: {
    wants: "a list of tool names",
    fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  },
  repairNames: isBoolean,
  conversationId: isText,
};

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
}

/** Reads the options and puts the shared parts together. */
export function createGuard(options: GuardOptions): Guard {
  checkTools(options);
  const contract = contractFrom("withContract", options, OPTIONS);
  const { tools } = options;
  checkActive(options);
  const toolNames = Object.keys(tools);
  const recent = createRecentCalls();
  const { scope } = contract.settings;
  return {
    contract,
    definitions: createToolDefinitions(tools, contract),
    attempts: createAttemptCounter({ scope, toolNames, markerOf: recent.markerOf }),
    recent,
    toolNames,
    conversationId: options.conversationId ?? "ai-sdk",
    escalate: options.escalate ?? "drop-tool",
    repairNames: options.repairNames ?? false,
  };
}

function checkTools(options: Partial<GuardOptions> | undefined): void {
  if (options?.tools !== undefined) return;
  throw new ToolContractError("withContract: pass the tools, such as { tools: { read_file } }.");
}

function checkActive({ tools, activeTools = [] }: GuardOptions): void {
  const missing = activeTools.find((name) => !Object.hasOwn(tools, name));
  if (missing === undefined) return;
  throw new ToolContractError(
    `withContract: option 'activeTools' names '${missing.slice(0, 64)}', which is not among the tools.`,
  );
}
