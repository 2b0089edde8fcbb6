import type { RunConfig } from "@openai/agents";
import type { AnyFunctionTool } from "./sdk.ts";

/** Guards the models that a configuration has. */
export type GuardConfig = (config?: Partial<RunConfig>) => Partial<RunConfig>;

const makers = new WeakMap<object, () => AnyFunctionTool>();

/**
 * Makes the tool of a guarded agent. Its run inherits the models of the run around it, which are guarded then.
 *
 * @param create - Creates the SDK's tool.
 */
export function agentTool(
  create: () => AnyFunctionTool,
  guardConfig: GuardConfig,
): AnyFunctionTool {
  const make = (): AnyFunctionTool => {
    const tool = create();
    const { invoke } = tool;
    tool.invoke = async (context, input, details = {}) => {
      guardParentOf(details, guardConfig);
      return invoke(context, input, details);
    };
    return tool;
  };
  const tool = make();
  makers.set(tool, make);
  return tool;
}

/**
 * Another tool of the same agent, for a guard to change; undefined for any other tool. The SDK finds the agent behind a tool by the
 * tool's object, when it restores a state for example, and only the agent can make one that is found.
 */
export function twinOf(tool: AnyFunctionTool): AnyFunctionTool | undefined {
  return makers.get(tool)?.();
}

const PARENT = "openai.agents.agentToolParentRunConfig";

/** The SDK hands the configuration of the run around a tool's on in the details of the call. */
function guardParentOf(details: object, guardConfig: GuardConfig): void {
  const keys = Object.getOwnPropertySymbols(details);
  const key = keys.find(({ description }) => description === PARENT) ?? "parentRunConfig";
  const parent = Reflect.get(details, key) as Partial<RunConfig> | undefined;
  Object.defineProperty(details, key, { value: guardConfig(parent), configurable: true });
}
