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
  let given: readonly NamedTool[] | undefined;
  const note = (tools: unknown): void => {
    given = Array.isArray(tools) ? tools.flatMap(namedIn) : undefined;
  };
  const model = watchedModel(request.model, note);
  const watched = model === request.model ? request : { ...request, model };
  return { request: watched, given: () => given };
}

type NoteTools = (tools: unknown) => void;

const notes = new WeakMap<object, NoteTools>();

function watchedModel<TModel extends object>(model: TModel, note: NoteTools): TModel {
  const bind: unknown = "bindTools" in model ? model.bindTools : undefined;
  if (typeof bind !== "function") return model;
  const bindTools = (tools: unknown, ...rest: readonly unknown[]): unknown => {
    note(tools);
    return Reflect.apply(bind, model, [tools, ...rest]);
  };
  const watched = viewOf(model, { bindTools });
  notes.set(watched, note);
  return watched;
}

/** A model that is asked in place of one that is watched, so that it is watched too. */
export function watchAlso<TModel extends object>(watched: unknown, model: TModel): TModel {
  const note = isAnyObject(watched) ? notes.get(watched) : undefined;
  return note === undefined ? model : watchedModel(model, note);
}

function namedIn(tool: unknown): readonly NamedTool[] {
  const written = isRecord(tool) ? tool["function"] : undefined;
  return [tool, written].filter(isNamedTool).slice(0, 1);
}
