import type { Contract, ContractOptions } from "@toolcontract/core";
import {
  type Expectations,
  type WithContract,
  contractFrom,
  isFunction,
  isRecord,
  isText,
} from "@toolcontract/core/adapter";
import { type SchemaFor, type ToolDefinitions, createToolDefinitions } from "./tool-definitions.ts";
import type { ToolErrors } from "./host-errors.ts";

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

/** What the middleware takes beside the options of every entry point. */
export interface MiddlewareOwnOptions {
  /**
   * `"end"` (default) ends the run with a message for people, `"drop-tool"` takes the tool off the model's list,
   * `"interrupt"` asks a person, `"throw"` throws an EscalationError before the model is asked again.
   */
  readonly escalate?: Escalate;
  /** What the model reads of an error that a tool throws: createAgent's own words by default. */
  readonly toolErrors?: ToolErrors;
  /** The middleware's name; an agent takes each name once. */
  readonly name?: string;
}

/** The options of toolContractMiddleware, beside either a contract or the options of a new one. */
export type ToolContractMiddlewareOptions = ToolContractOptions<MiddlewareOwnOptions>;

/** What the two hooks of one middleware share. */
export interface MiddlewareParts extends Guard {
  readonly escalate: Escalate;
  readonly toolErrors: ToolErrors;
}

/** What happens to the run once a tool's attempts are spent. */
export type Escalate = "end" | "drop-tool" | "interrupt" | "throw";

const UNNAMED = "langchain";

/** The thread that a run belongs to, where its host names one. */
export function threadIdOf(config: unknown): string | undefined {
  const configurable = isRecord(config) ? config["configurable"] : undefined;
  const id = isRecord(configurable) ? configurable["thread_id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Names a conversation whose attempts are counted from its messages. */
export function conversationIdOf(config: unknown): string {
  return threadIdOf(config) ?? UNNAMED;
}
