import type { Model } from "@openai/agents";
import type { AnyAgent, AnyHandoff, AnyTool } from "./sdk.ts";
import type { Verdicts } from "./verdicts.ts";

/** What a guarded agent is made of. */
export interface GuardedParts {
  readonly guardTool: (tool: AnyTool) => AnyTool;
  readonly guardModel: (model: Model) => Model;
  /** What an agent that is called as a tool needs for its own run. */
  readonly runConfig: object;
}

/** Creates the guard of agents: the same agent is always the same guarded one, also where agents hand off to each other. */
export function guardAgents(
  parts: GuardedParts,
): <TAgent extends AnyAgent>(agent: TAgent) => TAgent {
  const guarded = new WeakMap<object, AnyAgent>();

  function guard(agent: AnyAgent): AnyAgent {
    const known = guarded.get(agent);
    if (known) return known;
    // It inherits from the agent, so that its listeners, hooks and later changes are the agent's.
    const made = Object.create(agent) as AnyAgent;
    guarded.set(agent, made);
    guarded.set(made, made);
    const own = (value: unknown): PropertyDescriptor => ({
      value,
      writable: true,
      configurable: true,
    });
    const { model, tools, handoffs } = agent;
    Object.defineProperties(made, {
      ...(typeof model !== "string" && { model: own(parts.guardModel(model)) }),
      tools: own(tools.map(parts.guardTool)),
      // The agent's own method, which adds the tools of its MCP servers.
      getAllTools: own(async (...given: Parameters<AnyAgent["getAllTools"]>) =>
        (await agent.getAllTools(...given)).map(parts.guardTool),
      ),
      handoffs: own(handoffs.map(guardHandoff)),
      clone: own((config: Parameters<AnyAgent["clone"]>[0]) => guard(agent.clone(config))),
      asTool: own((options: { readonly runConfig?: object }) =>
        agent.asTool.call(made, {
          ...options,
          runConfig: { ...parts.runConfig, ...options.runConfig },
        } as Parameters<AnyAgent["asTool"]>[0]),
      ),
    });
    return made;
  }

  function guardHandoff(target: AnyAgent | AnyHandoff): AnyAgent | AnyHandoff {
    if (!("onInvokeHandoff" in target)) return guard(target);
    const handoff = target;
    const onInvokeHandoff: AnyHandoff["onInvokeHandoff"] = async (context, args) =>
      guard(await handoff.onInvokeHandoff(context, args));
    return Object.assign(Object.create(handoff) as AnyHandoff, {
      agent: guard(handoff.agent),
      onInvokeHandoff,
    });
  }

  return guard as <TAgent extends AnyAgent>(agent: TAgent) => TAgent;
}

/** Creates the guard of models: each message is judged before the runner reads it. */
export function guardModels(verdicts: Verdicts): (model: Model) => Model {
  return (model) => {
    const own: Pick<Model, "getResponse" | "getStreamedResponse"> = {
      async getResponse(request) {
        verdicts.before(request);
        const response = await model.getResponse(request);
        await verdicts.judge(response, request);
        return response;
      },
      async *getStreamedResponse(request) {
        verdicts.before(request);
        for await (const event of model.getStreamedResponse(request)) {
          if (event.type === "response_done") {
            const { id: responseId, output } = event.response;
            await verdicts.judge({ output, responseId } as never, request);
          }
          yield event;
        }
      },
    };
    return Object.assign(Object.create(model) as Model, own);
  };
}
