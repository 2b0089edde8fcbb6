import { type RunConfig, Runner } from "@openai/agents";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolContractError } from "@toolcontract/core";
import {
  contractFrom,
  isObject,
  isString,
  oneOf,
  type WithContract,
} from "@toolcontract/core/adapter";
import { guardAgents, guardModels } from "./guarded-agent.ts";
import { guardTools } from "./guarded-tool.ts";
import type { AnyAgent } from "./sdk.ts";
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
  runConfig: isObject,
};

/**
 * Puts a contract around the tool calls of an agent, of those behind its handoffs, and of its MCP servers.
 *
 * @remarks Run the returned agent with the returned runner. The agent that was passed stays as it is. One result serves many runs
 * at once.
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
  const tools = guardTools({ schemas, verdicts: () => verdicts });
  const { definitionOf } = tools;
  const verdicts: Verdicts = createVerdicts({ contract, conversationId, escalate, definitionOf });
  const guardModel = guardModels(verdicts);
  const { modelProvider } = new Runner(given).config;
  const runConfig: Partial<RunConfig> = {
    ...given,
    ...(given.model && typeof given.model !== "string" && { model: guardModel(given.model) }),
    modelProvider: {
      getModel: async (name) => guardModel(await modelProvider.getModel(name)),
    },
    toolNotFoundBehavior: "return_error_to_model",
    async toolErrorFormatter(error) {
      const verdict = verdicts.of(error.callId);
      const isAnswered = verdict !== undefined && verdict.status !== "admitted";
      return isAnswered ? verdict.result.content : given.toolErrorFormatter?.(error);
    },
  };
  const guard = guardAgents({ guardTool: tools.guard, guardModel, runConfig });
  return { agent: guard(agent), runner: new Runner(runConfig), runConfig };
}
