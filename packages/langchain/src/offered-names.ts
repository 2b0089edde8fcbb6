import { isAnyObject, isRecord, viewOf } from "@toolcontract/core/adapter";
import type { HookedRequest } from "./hooks.ts";
import { isNamedTool, type NamedTool } from "./tool-definitions.ts";

/** A request that notes which tools the model is given in the end. */
export interface WatchedRequest {
  readonly request: HookedRequest;
  /** Those that have a name; undefined if they are not known, such as when other middleware asks another model. */
  readonly given: () => readonly NamedTool[] | undefined;
}

/**
 * Notes which tools a request offers: other middleware may leave some out after the contract has seen it, and LangChain lists all tools of
 * the agent to a model that calls an unknown one.
 */
export function watchOffered(request: HookedRequest): WatchedRequest {
  const model: unknown = request.model;
  const bind = isAnyObject(model) && "bindTools" in model ? model.bindTools : undefined;
  if (typeof bind !== "function") return { request, given: () => undefined };
  let given: readonly NamedTool[] | undefined;
  const bindTools = (tools: unknown, ...rest: readonly unknown[]): unknown => {
    given = Array.isArray(tools) ? tools.flatMap(namedIn) : undefined;
    return Reflect.apply(bind, model, [tools, ...rest]);
  };
  const watched = viewOf(request.model, { bindTools });
  return { request: { ...request, model: watched }, given: () => given };
}

function namedIn(tool: unknown): readonly NamedTool[] {
  const written = isRecord(tool) ? tool["function"] : undefined;
  return [tool, written].filter(isNamedTool).slice(0, 1);
}
