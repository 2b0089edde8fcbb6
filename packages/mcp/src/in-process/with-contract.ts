import { ToolContractError } from "@toolcontract/core";
import { type Gate, type GateOptions, createGateServices, gateOf } from "../gate/index.ts";
import { hookTransport } from "./hook-transport.ts";
import type { LowLevelServer, SdkServer, SdkTransport } from "./sdk-server.ts";
import type { Message } from "../wire/index.ts";

const guarded = new WeakSet<object>();

/**
 * Puts a server's tools under a contract: invalid calls are answered before they reach a handler. Gives the server back.
 *
 * @remarks Call it before `connect`. A server that is made for every request needs a gate that outlives it: pass
 * `{ gate }`.
 */
export function withContract<Server extends SdkServer>(
  server: Server,
  options: WithContractOptions = {},
): Server {
  const low = lowLevelOf(server);
  const { attemptKey: attemptKeyOf, ...others } = options;
  if (attemptKeyOf !== undefined && typeof attemptKeyOf !== "function") {
    throw new ToolContractError("withContract: option 'attemptKey' must be a function.");
  }
  const gate = gateFor(others, low !== server);
  guarded.add(low);
  const connect = low.connect.bind(low) as (transport: SdkTransport) => Promise<void>;
  const hooks = new WeakMap<SdkTransport, () => void>();
  low.connect = async (transport: SdkTransport) => {
    // One that was refused, because another was connected still, may come again.
    const end = hooks.get(transport) ?? hookTransport(transport, { gate, attemptKeyOf });
    hooks.set(transport, end);
    await connect(transport);
    const { onclose } = transport;
    const whenClosed = (): void => {
      end();
      onclose?.();
    };
    Object.assign(transport, { onclose: whenClosed });
  };
  return server;
}

function lowLevelOf(server: SdkServer): LowLevelServer {
  const low: Partial<LowLevelServer> | undefined = "server" in server ? server.server : server;
  if (typeof low?.connect !== "function") {
    throw new ToolContractError(
      "withContract: pass a server of @modelcontextprotocol/sdk or @modelcontextprotocol/server.",
    );
  }
  if (guarded.has(low)) {
    throw new ToolContractError("withContract: this server has a contract already.");
  }
  if (low.transport !== undefined) {
    throw new ToolContractError(
      "withContract: this server is connected already; call withContract before connect.",
    );
  }
  return low as LowLevelServer;
}

function gateFor(options: Omit<WithContractOptions, "attemptKey">, isValidating: boolean): Gate {
  const { gate, ...own } = options as { readonly gate?: Gate } & GateOptions;
  if (gate === undefined) {
    // A low-level server hands its handlers whatever comes, so there is nobody who could still refuse it.
    return gateOf(createGateServices(own, "withContract", isValidating ? "assist" : "reject"));
  }
  const [stray] = Object.keys(own);
  if (stray === undefined && typeof gate?.fromClient === "function") return gate;
  throw new ToolContractError(
    stray === undefined
      ? "withContract: option 'gate' must be what createGate(…) returns."
      : `withContract: pass either a gate or its options, not both; '${stray}' belongs to createGate.`,
  );
}

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
