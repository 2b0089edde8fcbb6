import type { HostContext } from "@toolcontract/core";
import type { OptionRule } from "@toolcontract/core/adapter";
import type { LimitScope } from "./limits.ts";

/** One of these scopes, or a function. */
export function scopeOf(...names: readonly string[]): OptionRule {
  return {
    wants: `one of ${names.join(", ")}, or a function of the context`,
    fits: (value) => typeof value === "function" || names.includes(value as string),
  };
}

/** Where a call is made and for whom. */
export interface Spender {
  /** The conversation. */
  readonly conversationId?: string | undefined;
  /** False if unrelated users share the conversation's id. */
  readonly knowsConversation?: boolean | undefined;
  /** The run. */
  readonly runId?: string | undefined;
  /** False if the run is not known. */
  readonly knowsRun?: boolean | undefined;
  /** What the host passes as `context`. */
  readonly context?: HostContext | undefined;
}

/** What tells the calls of a scope from all others; undefined if it has no value. */
export function scopeOwner(scope: LimitScope, spender: Spender): readonly string[] | undefined {
  switch (scope) {
    case "global":
      return ["global"];
    case "conversation":
      return conversationOf(spender);
    case "user":
    case "tenant":
      return named(scope, spender.context?.[scope]);
    default:
      return named("scope", scope(spender.context ?? {}));
  }
}

/** A conversation that the host does not name is its run. */
function conversationOf(spender: Spender): readonly string[] | undefined {
  const { conversationId, runId, knowsConversation, knowsRun } = spender;
  if (knowsConversation !== false) return named("conversation", conversationId);
  return knowsRun === false ? undefined : named("run", runId);
}

/**
 * Who a call is made for, in limits, entries and grants: a string, or a number, which is the user of its digits. Undefined for anything
 * else, since objects have no name by which two could be told apart.
 */
export function userName(context: HostContext | undefined): string | undefined {
  return nameOf(context?.user);
}

function named(kind: string, value: unknown): readonly string[] | undefined {
  const name = nameOf(value);
  return name === undefined ? undefined : [kind, name];
}

function nameOf(value: unknown): string | undefined {
  const isName = (typeof value === "string" && value !== "") || Number.isFinite(value);
  return isName ? String(value) : undefined;
}
