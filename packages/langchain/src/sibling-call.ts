import type { ToolRunnableConfig } from "@langchain/core/tools";
import { ToolContractError } from "@toolcontract/core";
import { createRecentMap, isRecord } from "@toolcontract/core/adapter";
import { type CallOrigin, runNameOf } from "./runs.ts";
import { isNamedTool, type NamedTool } from "./tool-definitions.ts";

/** How a tool is run. */
export type Invoke = (input: unknown, config?: ToolRunnableConfig) => Promise<unknown>;

/** A tool that runs here, and not at the provider. */
export interface Invokable extends NamedTool {
  readonly invoke: Invoke;
}

/** Whether the value is a tool that runs here. */
export function isInvokable(tool: unknown): tool is Invokable {
  return isNamedTool(tool) && "invoke" in tool && typeof tool.invoke === "function";
}

/** The tool that a stage wants to call. */
export function siblingOf(name: string, tools: readonly unknown[]): Invokable {
  const found = tools.filter(isInvokable).find((tool) => tool.name === name);
  if (found) return found;
  throw new ToolContractError(
    `callTool: no tool '${name.slice(0, 64)}' that runs here is among the tools of the contract.`,
  );
}

/** A call that a stage makes. */
interface SiblingCall {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** The call of another tool on behalf of a call. */
export function siblingCall(
  id: string | undefined,
  name: string,
  args: Readonly<Record<string, unknown>>,
): SiblingCall {
  return { type: "tool_call", id: `${id ?? ""}:${name}`, name, args: { ...args } };
}

const MAX_CALLS = 1_000;

/** The tools of a request, as the contract has seen it, and those that the model was given; undefined if they are not known. */
interface Offer {
  readonly tools: readonly unknown[];
  readonly given: readonly NamedTool[] | undefined;
}

/** The tools that the model could choose from when it made a call. */
export interface OfferedTools {
  /** Remembers the tools for the calls of a message. */
  remember(message: unknown, offer: Offer, origin: CallOrigin): void;
  /** The tools that the model was given, whatever other middleware has made of the request; undefined if they are not known. */
  givenFor(id: string | undefined, origin: CallOrigin): readonly NamedTool[] | undefined;
  /** The tools for a call; undefined if its message came from elsewhere, such as another process. */
  of(id: string | undefined, origin: CallOrigin): readonly unknown[] | undefined;
}

/** Creates a bounded memory of tools. */
export function createOfferedTools(): OfferedTools {
  const known = createRecentMap<string, Offer>(MAX_CALLS);
  const keyOf = (id: string, run: string): string => JSON.stringify([run, id]);
  const offerFor = (id: string | undefined, origin: CallOrigin): Offer | undefined => {
    const run = runNameOf(origin);
    return id === undefined || run === undefined ? undefined : known.get(keyOf(id, run));
  };
  return {
    remember(message, offer, origin) {
      const run = runNameOf(origin);
      const calls = isRecord(message) ? message["tool_calls"] : undefined;
      if (run === undefined || !Array.isArray(calls)) return;
      for (const call of calls as readonly unknown[]) {
        const id = isRecord(call) ? call["id"] : undefined;
        if (typeof id === "string") known.set(keyOf(id, run), offer);
      }
    },
    givenFor: (id, origin) => offerFor(id, origin)?.given,
    of: (id, origin) => offerFor(id, origin)?.tools,
  };
}
