import { type CallTool, ToolContractError } from "@toolcontract/core";
import type { ToolSet } from "ai";
import type { ExecuteOptions } from "./sdk.ts";

/** The options of a call, as far as they are known: of a repaired call, the SDK says less. */
type KnownOptions = Pick<ExecuteOptions, "toolCallId" | "messages"> & Partial<ExecuteOptions>;

/** Creates the function with which a stage calls another tool of the set: the tool's own, without the contract. */
export function siblingCaller(tools: ToolSet, options: KnownOptions): CallTool {
  return async (name, args) => {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool?.execute === undefined) {
      throw new ToolContractError(
        `callTool: no tool '${name.slice(0, 64)}' with an \`execute\` is among the tools of withContract.`,
      );
    }
    // What undoes a call must also run if that call was aborted.
    const { abortSignal: _, toolCallId, ...rest } = options;
    const own = { ...rest, toolCallId: `${toolCallId}:${name}` };
    const output: unknown = tool.execute(args as never, own as ExecuteOptions);
    return lastOf(output);
  };
}

/** The output of a tool; of a stream of outputs the last, once it has ended. */
export async function lastOf(output: unknown): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}

/** Whether a tool returned a stream of outputs. */
export function isAsyncIterable(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}
