import type { Contract, MetricsSnapshot } from "@toolcontract/core";
import type { LimitCounts } from "../limits/index.ts";
import type { Message } from "../wire/index.ts";
import { createFlights } from "./in-flight.ts";
import { errorTypeOf } from "./operations.ts";
import { FORWARD, type Link, type Ruling } from "./link.ts";
import {
  createGateServices,
  type GateOptions,
  type GateServices,
  type InvalidResultCounts,
} from "./options.ts";
import {
  type Connection,
  type LostRequest,
  routeFromClient,
  routeFromServer,
  routeLost,
} from "./route.ts";
import {
  passOrRefuse,
  passUnread,
  type UnreadMessage,
  type UnvalidatedMessage,
} from "./unread-message.ts";
import type { UnreadCounts, UnvalidatedCount } from "./unvalidated.ts";

/** Applies the contract to the messages between MCP clients and a server, on any transport. */
export interface Gate {
  readonly contract: Contract;
  /** Decides on a client's message. Returns a promise only for a tool call that is not plainly valid; never throws for client input. `traceparent` is that of the request that brought the message, if it is not in the message. */
  fromClient(message: Message, link: Link, traceparent?: string): Ruling | Promise<Ruling>;
  /**
   * Inspects a server's message and returns its replacement, undefined to forward the original bytes, or null to drop it:
   * it answers a call whose time was over. `text` gives its text, in which no number is rounded.
   */
  fromServer(
    message: Message,
    link: Link,
    text?: () => string,
  ): Message | null | undefined | Promise<Message | null | undefined>;
  /**
   * Call when a tool call gets no answer: it could not be sent, the connection broke, a gateway answered. A stage then hears
   * whether the tool may have run. Returns what the client gets, if it is the contract's; undefined for the transport's own
   * answer, or null if the client has its answer.
   */
  lost(
    request: LostRequest,
    link: Link,
  ): Message | null | undefined | Promise<Message | null | undefined>;
  /** Whether the gate needs to see responses on this link; if not, only `notifications/tools/list_changed` matters. */
  awaits(link: Link): boolean;
  /** Ends a link: held calls are dropped, and pending ones are forgotten. */
  closed(link: Link): void;
  /** Decides on a client's message that a transport could not read or does not want to, and counts it. */
  passOrRefuse(message: UnvalidatedMessage): Ruling;
  /** Counts a message that a transport relays without reading it, and ends what waits for it on a link. */
  passUnread(message: UnreadMessage, link?: Link): void;
  /** Marks all tool lists as outdated: the server could not be reached, or another instance may have taken its place. */
  expireLists(): void;
  /** How many calls were not validated, by reason. */
  unvalidated(): readonly UnvalidatedCount[];
  /** How many messages were relayed unread. */
  unread(): UnreadCounts;
  /** How many results did not fit the schema that their tool declares. */
  invalidResults(): InvalidResultCounts;
  /**
   * Goes on with other options: what was counted and learnt stays, and calls in flight end by the options that they began
   * with.
   *
   * @throws ToolContractError if an option is unknown or has the wrong type; then nothing changes.
   */
  reload(options: GateOptions): void;
  /** What each contract of this gate has counted: the one it began with, and those of each {@link Gate.reload}. */
  counts(): readonly MetricsSnapshot[];
  /** What reached a limit, and what is in the queues; undefined if no limit is set. */
  limits(): LimitCounts | undefined;
}

/**
 * Creates a gate.
 *
 * @throws ToolContractError if an option is unknown or has the wrong type.
 * @example
 * ```ts
 * const gate = createGate({ maxAttempts: 3 });
 * await client.connect(gateTransport(transport, gate));
 * ```
 * @see docs/getting-started.md
 */
export function createGate(options: GateOptions = {}): Gate {
  return gateOf(createGateServices(options, "createGate"));
}

/** Builds the gate on existing services. */
export function gateOf(first: GateServices): Gate {
  let services = first;
  const connections = new WeakMap<Link, Connection>();
  const open = failOpen(services);

  function connectionOf(link: Link): Connection {
    const known = connections.get(link);
    if (known) return known;
    const made = { link, flights: createFlights() };
    connections.set(link, made);
    return made;
  }

  return {
    get contract() {
      return services.contract;
    },
    fromClient: (message, link, traceparent) =>
      open(() => {
        const trace = services.beginTrace(message, traceparent);
        return trace.within(() =>
          routeFromClient(message, { ...connectionOf(link), trace }, services),
        );
      }, FORWARD),
    fromServer: (message, link, text) =>
      open(() => routeFromServer(message, connectionOf(link), services, text), undefined),
    lost: (request, link) =>
      open(() => routeLost(request, connectionOf(link), services), undefined),
    awaits: (link) => connections.get(link)?.flights.isAwaiting() ?? false,
    closed(link) {
      connections.get(link)?.flights.close();
      connections.delete(link);
    },
    passOrRefuse(message) {
      const ruling = passOrRefuse(message, services);
      const error = ruling.kind === "answer" ? errorTypeOf(ruling.message) : undefined;
      services.operations?.begin()({ tool: undefined, transport: undefined, error });
      return ruling;
    },
    passUnread: (message, link) =>
      passUnread(message, link && connections.get(link)?.flights, services),
    expireLists: () => services.lists.expire(),
    unvalidated: () => services.unvalidated.counts(),
    unread: () => services.unvalidated.unread(),
    invalidResults: () => ({ ...services.invalidResults }),
    reload(options) {
      services = createGateServices(options, "reload", services.settings.soft, services);
    },
    counts: () => services.counts(),
    limits: () => services.limiter?.counts(),
  };
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
