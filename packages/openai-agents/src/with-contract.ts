import { type ModelProvider, type RunConfig, Runner } from "@openai/agents";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolContractError } from "@toolcontract/core";
import {
  contractFrom,
  isBoolean,
  isObserving,
  isObject,
  isSchemaProvider,
  isString,
  oneOf,
  type SchemaProvider,
  schemasFor,
  viewOf,
  type WithContract,
} from "@toolcontract/core/adapter";
import type { GuardConfig } from "./agent-tools.ts";
import { guardAgents } from "./guarded-agent.ts";
import { guardModels } from "./guarded-model.ts";
import { guardTools } from "./guarded-tool.ts";
import type { AnyAgent } from "./sdk.ts";
import { createStoredRuns } from "./stored-runs.ts";
import { createVerdicts, type Verdicts } from "./verdicts.ts";

export type { AnyAgent } from "./sdk.ts";

/**
 * The options of `withContract`, besides those of a contract.
 *
 * @example
 * ```ts
 * const options: AgentsOptions = { conversationId: "chat-1", escalate: "throw" };
 * ```
 * @see packages/openai-agents/README.md
 */
export interface AgentsOptions {
  /** Schemas of tools that were not made with this package's `tool`, such as those of zod, by the tool's name. */
  readonly schemas?: Readonly<Record<string, StandardSchemaV1>>;
  /** The conversation, in logs, events and guardrails; otherwise that of the Responses API, if it keeps one. */
  readonly conversationId?: string;
  /**
   * What comes after a tool's last attempt: the model goes on without it, or the run throws an `EscalationError`.
   *
   * @default "continue"
   */
  readonly escalate?: "continue" | "throw";
  /**
   * Shows the model the schemas of the tools as this provider takes them, so that no tool's schema ends a request. The tools' own
   * schemas stay the judge of the calls.
   *
   * @default the schemas as they are
   */
  readonly provider?: SchemaProvider;
  /**
   * `"tool-choice"`: after a refused call, the next request makes the model call that tool, once: it cannot wander off.
   *
   * @remarks Never for a blocked tool, and not after a second refusal.
   * @default the model is free
   */
  readonly retryWith?: "tool-choice";
  /**
   * Judges the final answer of an agent with an `outputType`: one that does not fit is asked for again in the same turn, in the contract's
   * words, until its attempts are spent.
   *
   * @remarks What is streamed of it is held back until it fits.
   * @default false
   */
  readonly output?: boolean;
  /** The configuration of your own runner. */
  readonly runConfig?: Partial<RunConfig>;
}

/** An agent inside a contract, and what runs it. */
export interface Guarded<TAgent> {
  /** The agent, with those behind its handoffs. */
  readonly agent: TAgent;
  /** Runs it, plain or streamed; it resumes a state too. */
  readonly runner: Runner;
  /** The runner's configuration, to create one of your own. */
  readonly runConfig: Partial<RunConfig>;
}

const OPTIONS = {
  schemas: isObject,
  conversationId: isString,
  escalate: oneOf("continue", "throw"),
  provider: isSchemaProvider,
  output: isBoolean,
  retryWith: oneOf("tool-choice"),
  runConfig: isObject,
};

/**
 * Puts a contract around the tool calls of an agent, of those behind its handoffs, and of its MCP servers.
 *
 * @remarks Run the returned agent with the returned runner. It is a view of the agent that was passed, which runs without the contract
 * as before; later changes are seen in both. One result serves many runs at once.
 * @throws ToolContractError if the agent or an option is of the wrong type.
 * @example
 * ```ts
 * const { agent, runner } = withContract(new Agent({ name: "travel", tools: [book] }));
 * const result = await runner.run(agent, "Two seats from Lisbon");
 * ```
 * @see packages/openai-agents/README.md
 */
export function withContract<TAgent extends AnyAgent>(
  agent: TAgent,
  options: WithContract<AgentsOptions> = {},
): Guarded<TAgent> {
  const contract = contractFrom("withContract", options, OPTIONS);
  if (typeof (agent as Partial<AnyAgent> | undefined)?.getAllTools !== "function") {
    throw new ToolContractError(
      "withContract: pass the agent first, such as new Agent({ name, tools }), and the options second.",
    );
  }
  const { schemas = {}, conversationId, escalate = "continue", runConfig: given = {} } = options;
  const shown = schemasFor(options.provider);
  const tools = guardTools({ schemas, verdicts: () => verdicts });
  const { definitionOf } = tools;
  const runs = createStoredRuns();
  const verdicts: Verdicts = createVerdicts({
    contract,
    conversationId,
    escalate,
    firstAgent: agent.name,
    definitionOf,
    runOf: runs.of,
  });
  const guardModel = guardModels(verdicts, {
    shown,
    forcesRetry: options.retryWith === "tool-choice",
    answers: options.output === true ? { contract, conversationId, escalate } : undefined,
  });
  const { modelProvider } = new Runner(given).config;
  const guardProvider = (provider: ModelProvider): ModelProvider =>
    viewOf(provider, {
      getModel: async (name?: string) => guardModel(await provider.getModel(name)),
    });
  const guardConfig: GuardConfig = (config = { modelProvider }) => ({
    ...config,
    ...(typeof config.model === "object" && { model: guardModel(config.model) }),
    ...(config.modelProvider && { modelProvider: guardProvider(config.modelProvider) }),
  });
  const own: Partial<RunConfig> = {
    ...guardConfig(given),
    ...(!isObserving(contract) && { toolNotFoundBehavior: "return_error_to_model" as const }),
    async toolErrorFormatter(error) {
      const verdict = error.kind === "tool_not_found" ? verdicts.of(error.callId) : undefined;
      const isAnswered = verdict !== undefined && verdict.status !== "admitted";
      return isAnswered ? verdict.result.content : given.toolErrorFormatter?.(error);
    },
  };
  const runConfig = { ...own, modelProvider: guardProvider(modelProvider) };
  const guard = guardAgents({ guardTool: tools.guard, guardModel, guardConfig, runConfig: own });
  return { agent: guard(agent), runner: runs.guard(new Runner(runConfig)), runConfig };
}
