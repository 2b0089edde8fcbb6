import type { Contract } from "@toolcontract/core";
import { errorClass } from "@toolcontract/core/adapter";
import { FORWARD } from "./decide-call.ts";
import { type GateOptions, type GateServices, createGateServices } from "./options.ts";
import type { Link, Ruling } from "./link.ts";
import type { Message } from "../wire/index.ts";
import { createLinkState, type LinkState, passClient, passServer } from "./route.ts";

/** The contract between MCP clients and a server, message by message; it knows no transport. */
export interface Gate {
  readonly contract: Contract;
  /** Client to server; a promise only for a tool call that is not plainly valid. Throws for nothing that a client sends. */
  fromClient(message: Message, link: Link): Ruling | Promise<Ruling>;
  /** Server to client: the message to send instead, or undefined where the original bytes go on. */
  fromServer(message: Message, link: Link): Message | undefined | Promise<Message | undefined>;
  /** True while an answer on this way matters; without one, only `notifications/tools/list_changed` does. */
  awaits(link: Link): boolean;
  /** The way is gone: its held calls are dropped, its pending ones forgotten. */
  closed(link: Link): void;
}

/** Creates the gate; throws a ToolContractError where an option is unknown or of the wrong kind. */
export function createGate(options: GateOptions = {}): Gate {
  return gateOf(createGateServices(options, "createGate"));
}

/** The gate of services that are put together already. */
export function gateOf(services: GateServices): Gate {
  const states = new WeakMap<Link, LinkState>();
  const open = failOpen(services.contract);

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
      open(() => passClient(message, link, stateOf(link), services), FORWARD),
    fromServer: (message, link) =>
      open(() => passServer(message, link, stateOf(link), services), undefined),
    awaits: (link) => (states.get(link)?.pending.size ?? 0) > 0,
    closed(link) {
      for (const controller of states.get(link)?.held.values() ?? []) controller.abort();
      states.delete(link);
    },
  };
}

/** Runs a step; a fault of ours in it is reported once, and the message goes on as it came. */
function failOpen({
  settings,
}: Contract): <T>(step: () => T | Promise<T>, otherwise: T) => T | Promise<T> {
  let isReported = false;

  function report(thrown: unknown): void {
    if (isReported) return;
    isReported = true;
    const fields = { level: "warn", stage: "gate", error_class: errorClass(thrown) } as const;
    settings.log(fields, "Tool contract degraded");
  }

  return (step, otherwise) => {
    const recover = (thrown: unknown): typeof otherwise => {
      report(thrown);
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
