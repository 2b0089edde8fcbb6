import type { Gate } from "../gate/gate.ts";
import type { GateOptions } from "../gate/gate-options.ts";
import type { Message } from "../gate/link.ts";

/** What an author of a server may tell beside the gate's options. */
export interface HookOptions {
  /** Names the conversation of a call, whose attempts count; by session, else by credentials and trace. Never put a secret in it: it stands in logs. */
  readonly attemptKey?: (message: Message, extra: unknown) => string;
}

/** A gate that servers with the same tools share, such as those that are made for every request. */
export interface SharedGate {
  readonly gate: Gate;
}

/** The options of withContract: a gate that exists already, or those of a new one. */
export type WithContractOptions = HookOptions &
  (SharedGate | (GateOptions & { readonly gate?: never }));
