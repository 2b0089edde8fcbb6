import type { Contract } from "@toolcontract/core";
import type { LimitCounts } from "../limits/index.ts";
import type { Message } from "../wire/index.ts";
import { endLimited } from "./limited-call.ts";
import { FORWARD, type Link, type Ruling } from "./link.ts";
import { measureAnswer, measureCall } from "./measured-call.ts";
import { createGateServices, type GateOptions, type GateServices } from "./options.ts";
import {
  createLinkState,
  endStaged,
  type LinkState,
  passOrRefuse,
  passUnread,
  routeFromClient,
  routeFromServer,
  type UnreadMessage,
  type UnvalidatedMessage,
} from "./route.ts";
import type { UnreadCounts, UnvalidatedCount } from "./unvalidated.ts";

/** Applies the contract to the messages between MCP clients and a server, on any transport. */
export interface Gate {
  readonly contract: Contract;
  /** Decides on a client's message. Returns a promise only for a tool call that is not plainly valid; never throws for client input. */
  fromClient(message: Message, link: Link): Ruling | Promise<Ruling>;
  /**
   * Inspects a server's message and returns its replacement, undefined to forward the original bytes, or null to drop it:
   * it answers a call whose time was over.
   */
  fromServer(
    message: Message,
    link: Link,
  ): Message | null | undefined | Promise<Message | null | undefined>;
  /** Whether the gate needs to see responses on this link; if not, only `notifications/tools/list_changed` matters. */
  awaits(link: Link): boolean;
  /** Ends a link: held calls are dropped, and pending ones are forgotten. */
  closed(link: Link): void;
  /** Decides on a client's message that a transport could not read or does not want to, and counts it. */
  passOrRefuse(message: UnvalidatedMessage): Ruling;
  /** Counts a message that a transport relays without reading it, and ends what waits for it. */
  passUnread(message: UnreadMessage, link: Link): void;
  /** Marks all tool lists as outdated: the server could not be reached, or another instance may have taken its place. */
  expireLists(): void;
  /** How many calls were not validated, by reason. */
  unvalidated(): readonly UnvalidatedCount[];
  /** How many messages were relayed unread. */
  unread(): UnreadCounts;
  /** What reached a limit, and what is in the queues; undefined if no limit is set. */
  limits(): LimitCounts | undefined;
}

/**
 * Creates a gate.
 *
 * @throws ToolContractError if an option is unknown or has the wrong type.
 */
export function createGate(options: GateOptions = {}): Gate {
  return gateOf(createGateServices(options, "createGate"));
}

/** Builds the gate on existing services. */
export function gateOf(services: GateServices): Gate {
  const states = new WeakMap<Link, LinkState>();
  const open = failOpen(services);

  function stateOf(link: Link): LinkState {
    const known = states.get(link);
    if (known) return known;
    const made = createLinkState();
    states.set(link, made);
    return made;
  }

  return {
    contract: services.contract,
    fromClient: (message, link) =>
      open(() => {
        const state = stateOf(link);
        return measureCall({ message, link, state }, services, () =>
          services.withinParent(message, () => routeFromClient(message, link, state, services)),
        );
      }, FORWARD),
    fromServer: (message, link) =>
      open(() => {
        const state = stateOf(link);
        return measureAnswer(message, state, routeFromServer(message, link, state, services));
      }, undefined),
    awaits(link) {
      const state = states.get(link);
      return state !== undefined && waitingIn(state) > 0;
    },
    closed(link) {
      const state = states.get(link);
      for (const controller of state?.held.values() ?? []) controller.abort();
      if (state) for (const id of state.staged.keys()) endStaged(id, state);
      if (state) for (const id of state.limited.keys()) endLimited(id, state);
      states.delete(link);
    },
    passOrRefuse: (message) => passOrRefuse(message, services),
    passUnread: (message, link) => passUnread(message, states.get(link), services),
    expireLists: () => services.lists.expire(),
    unvalidated: () => services.unvalidated.counts(),
    unread: () => services.unvalidated.unread(),
    limits: () => services.limiter?.counts(),
  };
}

/** How many responses the gate needs to see. */
function waitingIn({ pending, staged, limited, measured, abandoned }: LinkState): number {
  return pending.size + staged.size + limited.size + measured.size + abandoned.size;
}

/** Wraps a step: if our own code fails in it, that is reported once and the message is forwarded unchanged. */
function failOpen({
  unvalidated,
}: GateServices): <T>(step: () => T | Promise<T>, otherwise: T) => T | Promise<T> {
  return (step, otherwise) => {
    const recover = (thrown: unknown): typeof otherwise => {
      unvalidated.report("gate", thrown);
      if (otherwise === FORWARD) unvalidated.add("gate", "forwarded");
      return otherwise;
    };
    try {
      const outcome = step();
      return outcome instanceof Promise ? outcome.catch(recover) : outcome;
    } catch (thrown) {
      return recover(thrown);
    }
  };
}
