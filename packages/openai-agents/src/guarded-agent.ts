import type { Model, RunConfig } from "@openai/agents";
import { viewOf } from "@toolcontract/core/adapter";
import { agentTool, type GuardConfig } from "./agent-tools.ts";
import type { AnyAgent, AnyFunctionTool, AnyHandoff, AnyTool } from "./sdk.ts";
import { createViews, listView } from "./views.ts";

/** What a guarded agent is made of. */
export interface GuardedParts {
  readonly guardTool: (tool: AnyTool) => AnyTool;
  readonly guardModel: (model: Model) => Model;
  readonly guardConfig: GuardConfig;
  /** What an agent that is called as a tool needs for its own run. */
  readonly runConfig: Partial<RunConfig>;
}

/** Creates the guard of agents: the same agent is always the same guarded one, also where agents hand off to each other. */
export function guardAgents(
  parts: GuardedParts,
): <TAgent extends AnyAgent>(agent: TAgent) => TAgent {
  const views = createViews();

  function guard<TAgent extends AnyAgent>(agent: TAgent): TAgent {
    return views.of(agent, () => viewOf(agent, membersOf(agent)));
  }

  // The agent's `tools` stay as they are: the SDK looks the agents behind them up by the very objects, and takes those that it offers and
  // runs from `getAllTools`, with the tools of MCP servers.
  function membersOf(agent: AnyAgent): object {
    return {
      get model() {
        const { model } = agent;
        return typeof model === "object" ? parts.guardModel(model) : model;
      },
      set model(model) {
        agent.model = model;
      },
      get handoffs() {
        return listView(agent.handoffs, guardTarget, views.behind);
      },
      set handoffs(handoffs) {
        agent.handoffs = handoffs.map(views.behind);
      },
      getAllTools: async (...given: Parameters<AnyAgent["getAllTools"]>) =>
        (await agent.getAllTools(...given)).map(parts.guardTool),
      getEnabledHandoffs: async (...given: Parameters<AnyAgent["getEnabledHandoffs"]>) =>
        (await agent.getEnabledHandoffs(...given)).map(guardHandoff),
      clone: (config: Parameters<AnyAgent["clone"]>[0]) => guard(agent.clone(config)),
      // Of the view, which the tool then runs.
      asTool(options: Parameters<AnyAgent["asTool"]>[0]) {
        const own = options.runConfig && parts.guardConfig(options.runConfig);
        const given = { ...options, runConfig: { ...parts.runConfig, ...own } };
        const create = () => agent.asTool.call(guard(agent), given) as AnyFunctionTool;
        return agentTool(create, parts.guardConfig);
      },
    };
  }

  function guardTarget(target: AnyAgent | AnyHandoff): AnyAgent | AnyHandoff {
    return "onInvokeHandoff" in target ? guardHandoff(target) : guard(target);
  }

  function guardHandoff(handoff: AnyHandoff): AnyHandoff {
    return views.of(handoff, () =>
      viewOf(handoff, {
        get agent() {
          return guard(handoff.agent);
        },
        set agent(agent) {
          handoff.agent = views.behind(agent);
        },
        onInvokeHandoff: async (...given: Parameters<AnyHandoff["onInvokeHandoff"]>) =>
          guard(await handoff.onInvokeHandoff(...given)),
        clone: (changes: Parameters<AnyHandoff["clone"]>[0]) =>
          guardHandoff(handoff.clone(changes)),
      }),
    );
  }

  return guard;
}
