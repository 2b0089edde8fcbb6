import { ToolContractError } from "@toolcontract/explain";
import { type AdmittedCall, type CallContext, checkContext } from "../call/index.ts";
import type { Execute, RunnableTool, ToolCall, ToolDefinition } from "../shared/index.ts";
import type { HandleContext } from "./contexts.ts";

/** The context of a call, with or without the function that runs it. */
export type AnyContext = CallContext & Partial<Pick<HandleContext, "execute">>;

/** Throws if a tool has no function that would run it, whether or not it is called. */
export function checkHandle(method: string, call: ToolCall, context: AnyContext): void {
  checkContext(method, call, context);
  const { execute, tool, tools } = context;
  if (typeof execute === "function") return;
  if (execute !== undefined)
    throw new ToolContractError(
      `contract.${method}: \`execute\` must be the function that runs the tool.`,
    );
  const idle = (tool ? [tool] : Object.values<ToolDefinition>(tools ?? {})).find(
    (one) => typeof (one as Partial<RunnableTool>).execute !== "function",
  );
  if (idle === undefined) return;
  throw new ToolContractError(
    `contract.${method}: nothing runs the tool '${idle.name}'. Pass \`execute\`, or give each tool its own: defineTool({ name, validator, execute }).`,
  );
}

/**
 * The host's function, or that of the called tool, which checkHandle() has seen. It is of that tool, and so takes the
 * arguments that the tool's validator gives.
 */
export function functionOf({ record: { tool } }: AdmittedCall, { execute }: AnyContext): Execute {
  return execute ?? ((tool as RunnableTool).execute as Execute);
}
