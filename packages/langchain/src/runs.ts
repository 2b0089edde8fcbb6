import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { isAnyObject, isRecord } from "@toolcontract/core/adapter";

/** Where a call is made: in a conversation that has a name, else in a run that keeps to itself. */
export interface CallOrigin {
  /** The option if set, else the `thread_id`. */
  readonly conversationId: string | undefined;
  /** Undefined if the run cannot be told from others. */
  readonly runId: string | undefined;
  /** Names an agent inside another one's graph; it is the same when the graph is resumed. */
  readonly agent?: string | undefined;
}

/** Names what calls of a conversation or a run share; undefined if they share nothing. */
export function runNameOf({ conversationId, runId }: CallOrigin): string | undefined {
  return conversationId === undefined ? runId && `run ${runId}` : `conversation ${conversationId}`;
}

interface NamedConversation {
  readonly conversationId: string | undefined;
}

/** Where a hook is called. */
export function originOfHook(guard: NamedConversation, runtime: object): CallOrigin {
  // Version 1.0 shows hooks no `configurable`.
  return originIn(guard, member(runtime, "configurable") ? runtime : ambientOf(runtime));
}

/** The configuration in which a hook is called. Other middleware may call it in the asynchronous context of another run. */
export function ambientOf(runtime: object): unknown {
  const ambient = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return ambient?.signal && ambient.signal === member(runtime, "signal") ? ambient : undefined;
}

/** Where a tool is called with these arguments. A node of the application's own may call it without its configuration. */
export function originOfTool(guard: NamedConversation, config: unknown, args: unknown): CallOrigin {
  const origin = originIn(guard, config);
  if (origin.conversationId !== undefined || origin.runId !== undefined) return origin;
  const ambient: unknown = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return isAnyObject(args) && isInputOf(ambient, args) ? originIn(guard, ambient) : origin;
}

/** Whether these very arguments are in what a node was given: a queue may run it in the context of another run. */
function isInputOf(config: unknown, args: object): boolean {
  const input = member(member(member(config, "configurable"), SCRATCHPAD), "currentTaskInput");
  const isCall = (value: unknown): boolean => value === args || member(value, "args") === args;
  const candidates = [input, ...(isAnyObject(input) ? Object.values(input) : [])].flat();
  return candidates.some((one) => {
    const calls = member(one, "tool_calls");
    return isCall(one) || (Array.isArray(calls) && calls.some(isCall));
  });
}

// LangGraph's own members. If they change, no run is known any more, and the tests fail.
const SCRATCHPAD = "__pregel_scratchpad";
const SIGNALS = "__pregel_abort_signals";

function originIn({ conversationId }: NamedConversation, config: unknown): CallOrigin {
  const configurable = member(config, "configurable");
  const thread = member(configurable, "thread_id");
  const named =
    conversationId ?? (typeof thread === "string" && thread !== "" ? thread : undefined);
  const agent = namespaceIn(configurable);
  return { conversationId: named, runId: runIdOf(configurable), ...(agent !== "" && { agent }) };
}

const roots = new WeakMap<object, string>();

/**
 * Names the run of a graph. Each call of a graph has an abort signal of its own, which its nodes and the graphs in them
 * share; their namespace tells the latter apart.
 */
function runIdOf(configurable: unknown): string | undefined {
  const signal = member(member(configurable, SIGNALS), "externalAbortSignal");
  if (!isAnyObject(signal)) return undefined;
  const root = roots.get(signal) ?? globalThis.crypto.randomUUID();
  roots.set(signal, root);
  const namespace = namespaceIn(configurable);
  return namespace === "" ? root : `${root}|${namespace}`;
}

/** Where the graph of a node is within others; empty for the outermost one. */
function namespaceIn(configurable: unknown): string {
  const namespace = member(configurable, "checkpoint_ns");
  // The last part is the node's.
  return typeof namespace === "string" ? namespace.split("|").slice(0, -1).join("|") : "";
}

/** The task of a graph in which a tool is called; a task that is restarted, such as after an interrupt, is the same one. */
export function taskOf(config: unknown): { readonly name: unknown; readonly input: unknown } {
  const configurable = member(config, "configurable");
  const input = member(member(configurable, SCRATCHPAD), "currentTaskInput");
  return { name: member(configurable, "checkpoint_ns"), input };
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
