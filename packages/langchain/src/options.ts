import type { Contract, ContractOptions } from "@toolcontract/core";
import {
  contractFrom,
  type OptionRules,
  isFunction,
  isSchemaProvider,
  isString,
  type SchemaProvider,
  schemasFor,
  type WithContract,
} from "@toolcontract/core/adapter";
import type { ToolCallRequest } from "langchain";
import type { AgentNames } from "./agent-names.ts";
import { ELSEWHERE } from "./elsewhere.ts";
import type { HookedRequest } from "./hooks.ts";
import type { OfferedTools } from "./sibling-call.ts";
import {
  createToolDefinitions,
  declaredSchema,
  type NamedTool,
  type SchemaFor,
  type ToolDefinitions,
} from "./tool-definitions.ts";

/**
 * Options of every entry point, in addition to a contract or the options of one.
 *
 * @example
 * ```ts
 * const options: GuardOptions = { conversationId: "chat-1" };
 * ```
 * @see packages/langchain/README.md
 */
export interface GuardOptions {
  /** Returns the full schema of a tool whose own was simplified, such as an MCP server's. */
  readonly schemaFor?: SchemaFor;
  /**
   * The conversation: named in logs and events, and shared by all runs that have it. Their
   * guardrails give a repeated call the same idempotency key, and a closed tool stays closed.
   *
   * @remarks Pass it only if the tools are guarded anew for each conversation. Without it and without a `thread_id`, each
   * run keeps to itself.
   * @default the run's `thread_id`
   */
  readonly conversationId?: string;
  /**
   * Shows the model the schemas of the tools as this provider takes them, so that no tool's schema ends a request. The tools' own
   * schemas stay the judge of the calls.
   *
   * @default the schemas as they are
   */
  readonly provider?: SchemaProvider;
}

/**
 * An existing contract, or the options of a new one.
 *
 * @example
 * ```ts
 * const options: ToolContractOptions = { maxAttempts: 3 };
 * ```
 * @see packages/langchain/README.md
 */
export type ToolContractOptions<Own extends object = object> = WithContract<GuardOptions & Own>;

/** What happens to the run once a tool has no attempts left. */
export type Escalate = "end" | "drop-tool" | "interrupt" | "throw";

/** How an error thrown by a tool is handled: LangChain's own text, rethrown, or a text you return. */
export type ToolErrors =
  | "default"
  | "throw"
  | ((error: unknown, request: ToolCallRequest) => string | Promise<string>);

/**
 * Options of the middleware only.
 *
 * @example
 * ```ts
 * const options: MiddlewareOwnOptions = { escalate: "drop-tool", ask: "interrupt" };
 * ```
 * @see packages/langchain/README.md
 */
export interface MiddlewareOwnOptions {
  /**
   * `"end"` ends the run with a message for people, `"drop-tool"` removes the tool from the model's list,
   * `"interrupt"` asks a person, `"throw"` throws an EscalationError before the model is asked again, through every agent that called this one.
   *
   * @default "end"
   */
  readonly escalate?: Escalate;
  /**
   * How a call is treated that a guardrail asks a person about: `"answer"` answers the model at once, `"interrupt"`
   * interrupts the run with `{ type: "toolcontract.ask", request }`. Resumed with `{ grant }`, the call runs if the grant is good
   * for it; the model reads a string, and anything else leaves the contract's answer.
   *
   * @default "answer"
   */
  readonly ask?: "answer" | "interrupt";
  /**
   * What the model reads when a tool throws.
   *
   * @default the text of `createAgent`
   */
  readonly toolErrors?: ToolErrors;
  /**
   * `"tool-choice"`: after a refused call, the next request makes the model call that tool, once: it cannot wander off.
   *
   * @remarks Never for a blocked tool, and not after a second refusal.
   * @default the model is free
   */
  readonly retryWith?: "tool-choice";
  /**
   * Judges structured output (`responseFormat`), of a tool strategy or the provider's own: what does not fit is asked for again at once in
   * the contract's words, and after `maxAttempts` it escalates.
   *
   * @default false
   */
  readonly output?: boolean;
  /** The middleware's name. Names must be unique within an agent. */
  readonly name?: string;
}

/**
 * Options of `toolContractMiddleware`: a contract or the options of a new one, and its own.
 *
 * @example
 * ```ts
 * const options: ToolContractMiddlewareOptions = { maxAttempts: 3, escalate: "drop-tool" };
 * ```
 * @see packages/langchain/README.md
 */
export type ToolContractMiddlewareOptions = ToolContractOptions<MiddlewareOwnOptions>;

/** What an entry point works with once its options are validated. */
export interface Guard {
  readonly contract: Contract;
  readonly definitions: ToolDefinitions;
  readonly conversationId: string | undefined;
  /** The JSON Schema of a tool as the model is shown it; undefined if it is shown the tool as it is. */
  readonly shown: (tool: NamedTool) => object | undefined;
}

/** The agents that work together under one contract, and all their tools. */
export interface Team {
  readonly agents: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
}

/** What the two hooks of one middleware share. */
export interface MiddlewareGuard extends Guard {
  readonly escalate: Escalate;
  readonly asksPerson: boolean;
  /** Whether a refused tool is the next request's tool choice. */
  readonly forcesRetry: boolean;
  /** Whether structured output is judged. */
  readonly judgesOutput: boolean;
  readonly toolErrors: ToolErrors;
  /** Makes the next turn of the run the last; absent if a model that only calls blocked tools is asked for words instead. */
  readonly endNext?: (request: HookedRequest) => void;
  /** The tools that the model could choose from, by the calls that it made: a stage may call them too. */
  readonly offered: OfferedTools;
  readonly agents: AgentNames;
  /** The agents that were wrapped together; absent if the agent was wrapped alone. */
  readonly team?: Team;
}

const OWN: OptionRules = {
  schemaFor: isFunction,
  conversationId: isString,
  provider: isSchemaProvider,
};

/** Validates the options and creates what they describe. */
export function createGuard(
  where: string,
  options: GuardOptions & ContractOptions & { readonly contract?: Contract | undefined },
  own: OptionRules = {},
): Guard {
  const contract = contractFrom(where, options, { ...OWN, ...own }, ELSEWHERE);
  const { schemaFor, conversationId } = options;
  const write = schemasFor(options.provider);
  const shown = (tool: NamedTool): object | undefined => {
    const schema = write && declaredSchema(tool);
    return schema && write(tool.name, schema);
  };
  return { contract, definitions: createToolDefinitions(schemaFor), conversationId, shown };
}
