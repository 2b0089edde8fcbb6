import { ToolContractError } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";
import {
  type LimitScope,
  type Spender,
  type Staged,
  type StateStore,
  scopeOwner,
} from "../shared/index.ts";
import type { StoreOfSlots } from "./store-of-slots.ts";

/** Who has a state of their own: each conversation, user or tenant, or whoever a function of the host's context names. */
export type StateScope = Exclude<LimitScope, "global">;

/** A store with one state for each conversation, user or tenant, and no state of its own. */
export interface ScopedStore<State> extends StateStore<State> {
  /**
   * The state of a conversation, user or tenant, such as `store.of({ context: { user: "u-17" } }).state`.
   *
   * @throws ToolContractError if the scope has no value.
   */
  of(call: Spender): StateStore<State>;
}

/** How many states are kept; the one without a call for longest begins anew. */
const MAX_STATES = 10_000;

/** Makes a store whose states begin as the template. */
export function scopedStore<State extends object>(
  template: StoreOfSlots<State>,
  scope: StateScope,
): ScopedStore<State> {
  const states = createRecentMap<string, StateStore<State>>(MAX_STATES);
  return {
    slots: template.slots,
    get state(): never {
      return unscoped("state");
    },
    begin: (): Staged<State> => unscoped("begin()"),
    of(call) {
      const owner = scopeOwner(scope, call);
      if (owner === undefined) throw new ToolContractError(noOwner(scope));
      const key = JSON.stringify(owner);
      const found = states.get(key) ?? template.fork();
      states.set(key, found);
      return found;
    },
  };
}

function unscoped(member: string): never {
  throw new ToolContractError(
    `StateStore.${member}: the store has a state for each scope. Say whose: store.of({ conversationId, context }).${member}.`,
  );
}

function noOwner(scope: StateScope): string {
  switch (scope) {
    case "user":
      return 'StateStore: the state belongs to a user, and the call has none. Pass context: { user: "u-17" }.';
    case "tenant":
      return 'StateStore: the state belongs to a tenant, and the call has none. Pass context: { tenant: "acme" }.';
    case "conversation":
      return "StateStore: the state belongs to a conversation, and the call is in none that is known. Pass conversationId.";
    default:
      return "StateStore: the function `scope` named nobody for this call. It must return a string that is not empty.";
  }
}
