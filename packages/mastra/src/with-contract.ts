import type { AgentConfig } from "@mastra/core/agent";
import type { Mastra } from "@mastra/core";
import { resolveModelConfig } from "@mastra/core/llm";
import type { RequestContext } from "@mastra/core/request-context";
import { ToolContractError } from "@toolcontract/core";
import {
  contractFrom,
  isBoolean,
  isRecord,
  isSchemaProvider,
  isString,
  oneOf,
  type SchemaProvider,
  schemasFor,
  type WithContract,
} from "@toolcontract/core/adapter";
import { guardModel } from "./guarded-model.ts";
import { ContractAnswer, callIdIn, guardTools, refusedByMastra } from "./guarded-tools.ts";
import type { MastraTool, ToolContext } from "./mastra.ts";
import type { ShownCall } from "./turns-from-prompt.ts";
import { createVerdicts, type Verdicts } from "./verdicts.ts";

/**
 * The options of `withContract`, besides those of a contract.
 *
 * @example
 * ```ts
 * const options: MastraOptions = { conversationId: "chat-1", escalate: "throw" };
 * ```
 * @see packages/mastra/README.md
 */
export interface MastraOptions {
  /** The conversation, in logs, events and guardrails; Mastra does not tell a model its thread. */
  readonly conversationId?: string;
  /**
   * What comes after a tool's last attempt: the model goes on without it, or the run throws an `EscalationError`.
   *
   * @default "continue"
   */
  readonly escalate?: "continue" | "throw";
  /**
   * `"tool-choice"`: after a refused call, the next request makes the model call that tool, once: it cannot wander off.
   *
   * @remarks Never for a blocked tool, and not after a second refusal.
   * @default the model is free
   */
  readonly retryWith?: "tool-choice";
  /**
   * Judges structured output that the model itself writes (`structuredOutput` without a `model` of its own): an answer that does not fit is
   * asked for again in the same turn, in the contract's words, until its attempts are spent.
   *
   * @remarks What is streamed of it is held back until it fits.
   * @default false
   */
  readonly output?: boolean;
  /**
   * Shows the model the schemas of the tools as this provider takes them, so that no tool's schema ends a request. The tools' own
   * schemas stay the judge of the calls.
   *
   * @default the schemas as they are
   */
  readonly provider?: SchemaProvider;
}

/** The parts of an agent's configuration that the contract is put around. */
export type AgentParts = Pick<AgentConfig, "model" | "tools" | "hooks">;

const OPTIONS = {
  retryWith: oneOf("tool-choice"),
  output: isBoolean,
  conversationId: isString,
  escalate: oneOf("continue", "throw"),
  provider: isSchemaProvider,
};

/** What Mastra passes to functions of a configuration. */
interface Resolving {
  readonly requestContext?: RequestContext;
  readonly mastra?: Mastra;
}

/**
 * Puts a contract around the tool calls of an agent: `new Agent(withContract({ … }))`.
 *
 * @param config - The agent's configuration. It stays as it is.
 * @returns The same configuration with a guarded model, guarded tools, and hooks that call yours.
 * @throws ToolContractError if the configuration or an option is of the wrong type.
 * @example
 * ```ts
 * const agent = new Agent(withContract({ id: "travel", name: "travel", instructions: "Book.", model, tools }));
 * ```
 * @see packages/mastra/README.md
 */
export function withContract<TConfig extends AgentParts>(
  config: TConfig,
  options: WithContract<MastraOptions> = {},
): TConfig {
  // Mastra leaves such nulls out itself, and what it accepts must not be refused.
  const own = { ...(options.contract === undefined && { dropNulls: true }), ...options };
  const contract = contractFrom("withContract", own, OPTIONS);
  if (!isRecord(config) || config.model === undefined) {
    throw new ToolContractError(
      "withContract: pass the agent's configuration first, such as { id, name, instructions, model, tools }, and the options second.",
    );
  }
  const { conversationId, escalate = "continue" } = options;
  contract.settings.checkPlaces("withContract", {
    conversation: conversationId !== undefined,
    run: false,
  });
  const shown = schemasFor(options.provider);
  const { name } = config as { readonly name?: unknown };
  const { guard, ...ofTools } = guardTools(() => verdicts, contract.settings);
  const verdicts: Verdicts = createVerdicts({
    contract,
    conversationId,
    agentName: typeof name === "string" ? name : undefined,
    escalate,
    ...ofTools,
  });

  const guarding = {
    shown,
    forcesRetry: options.retryWith === "tool-choice",
    answers: options.output === true ? { contract, conversationId, escalate } : undefined,
  };

  // Its name, a model, a list of them, or a function that returns one of these.
  const guardAny = (model: unknown): unknown => {
    if (Array.isArray(model)) {
      return model.map((entry: { readonly model: unknown }) => {
        return { ...entry, model: guardAny(entry.model) };
      });
    }
    return async (given: Resolving): Promise<unknown> => {
      const known = typeof model === "function" ? await model(given) : model;
      if (Array.isArray(known)) return guardAny(known);
      const resolved = resolveModelConfig(known as never, given.requestContext, given.mastra);
      return guardModel(await resolved, verdicts, guarding);
    };
  };
  const { model, tools, hooks = {} } = config;
  return {
    ...config,
    model: guardAny(model),
    ...(tools !== undefined && {
      tools:
        typeof tools === "function"
          ? async (given: never) =>
              guard(((await tools(given)) ?? {}) as Record<string, MastraTool>)
          : guard(tools as Record<string, MastraTool>),
    }),
    hooks: guardHooks(hooks, verdicts),
  };
}

type Hooks = NonNullable<AgentParts["hooks"]>;

/** A call that was refused reaches no hook of the agent. */
function guardHooks(hooks: Hooks, verdicts: Verdicts): Hooks {
  return {
    ...hooks,
    async beforeToolCall(call) {
      const shown = shownCall(call);
      const verdict = shown && (await verdicts.before(shown));
      if (verdict && verdict.status !== "admitted") {
        throw new ContractAnswer(verdict.result.content);
      }
      return hooks.beforeToolCall?.(call);
    },
    async afterToolCall(call) {
      await hooks.afterToolCall?.(call);
      const shown = shownCall(call);
      const answer = shown && (await refusedByMastra(verdicts, shown, call.output));
      if (answer !== undefined) throw new ContractAnswer(answer);
    },
  };
}

type HookCall = Pick<
  Parameters<NonNullable<Hooks["beforeToolCall"]>>[0],
  "toolName" | "input" | "context"
>;

/** The call that a hook is about; undefined if no agent calls the tool. */
function shownCall({ toolName: name, input, context }: HookCall): ShownCall | undefined {
  const id = callIdIn(context as ToolContext);
  return id === undefined ? undefined : { id, name, input };
}
