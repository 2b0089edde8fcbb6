import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { AgentMiddleware } from "langchain";
import type { ToolContractMiddlewareOptions } from "../index.ts";
import { textOfMessage } from "../messages.ts";
import type { Lab } from "./langchain.ts";
import type { ScriptedModel, Turn } from "./scripted-model.ts";

/** A run of `createAgent`. */
export interface Run {
  readonly turns: readonly Turn[];
  readonly tools: readonly StructuredToolInterface[];
  /** More settings of the agent; `middleware` replaces the contract's. */
  readonly agent?: object;
  readonly options?: ToolContractMiddlewareOptions;
  readonly messages?: readonly BaseMessage[];
  readonly config?: object;
}

/** The result of a run. */
export interface Ran {
  readonly messages: readonly BaseMessage[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly results: readonly ToolMessage[];
  readonly last: string;
  readonly script: ScriptedModel;
}

/** Runs an agent, by default with the contract as its only middleware. */
export async function runAgent(lab: Lab, run: Run): Promise<Ran> {
  const script = lab.script(run.turns);
  const agent = lab.langchain.createAgent({
    model: script.model,
    tools: [...run.tools],
    middleware: [contractOf(lab, run.options)],
    ...run.agent,
  });
  const given = run.messages ?? [new lab.messages.HumanMessage("CallOrigin my order.")];
  const state = (await agent.invoke({ messages: [...given] }, run.config)) as Ran["state"];
  return toRan(lab, state, script);
}

/** Reads the result of a run from its state. */
export function toRan(lab: Lab, state: Ran["state"], script: ScriptedModel): Ran {
  const messages = state["messages"] as readonly BaseMessage[];
  const last = messages.at(-1);
  return {
    messages,
    state,
    script,
    results: messages.filter((message): message is ToolMessage =>
      lab.messages.ToolMessage.isInstance(message),
    ),
    last: last ? textOfMessage(last) : "",
  };
}

/** The contract as middleware, without logging. */
export function contractOf(
  lab: Lab,
  options: ToolContractMiddlewareOptions = {},
): AgentMiddleware<undefined, undefined> {
  const quiet = options.contract ? options : { logger: () => undefined, ...options };
  return lab.adapter.toolContractMiddleware(quiet);
}
