import type { Contract, ContractOptions } from "@toolcontract/core";
import {
  contractFrom,
  type Expectations,
  isFunction,
  isText,
  type WithContract,
} from "@toolcontract/core/adapter";
import { createToolDefinitions, type SchemaFor, type ToolDefinitions } from "./tool-definitions.ts";

/** What every entry point of this package takes beside a contract or the options of one. */
export interface GuardOptions {
  /** The schema of a tool whose own one was simplified on its way, such as an MCP server's. */
  readonly schemaFor?: SchemaFor;
  /** Names the conversation in logs and events; the thread's id by default. */
  readonly conversationId?: string;
}

/** A contract that exists already, or the options of a new one. */
export type ToolContractOptions<Own extends object = object> = WithContract<GuardOptions & Own>;

/** What the parts of one guarded set of tools share. */
export interface Guard {
  readonly contract: Contract;
  readonly definitions: ToolDefinitions;
  readonly conversationId: string | undefined;
}

const OWN: Expectations = { schemaFor: isFunction, conversationId: isText };

/** Reads the options and puts the shared parts together. */
export function createGuard(
  where: string,
  options: GuardOptions & ContractOptions & { readonly contract?: Contract | undefined },
  own: Expectations = {},
): Guard {
  const contract = contractFrom(where, options, { ...OWN, ...own });
  const { schemaFor, conversationId } = options;
  return { contract, definitions: createToolDefinitions(schemaFor), conversationId };
}
