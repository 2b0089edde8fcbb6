import { ToolContractError } from "@toolcontract/core";
import { createGateServices, type Gate, gateOf, type GateOptions } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import { hookTransport } from "./hook-transport.ts";
import type { LowLevelServer, SdkServer, SdkTransport } from "./sdk-server.ts";

/**
 * Options for authors of servers, beside the gate's.
 *
 * @example
 * ```ts
 * const options: HookOptions = { attemptKey: () => "one conversation" };
 * ```
 * @see packages/mcp/README.md
 */
export interface HookOptions {
  /**
   * Names the conversation whose attempts are counted together. By default the session; without one, the client's
   * credentials and trace. The key appears in logs, so never put a secret in it.
   */
  readonly attemptKey?: (message: Message, extra: unknown) => string;
}

/** A gate shared by servers with the same tools, such as one server per request. */
export interface SharedGate {
  readonly gate: Gate;
}

/**
 * Options of withContract: an existing gate, or the options for a new one.
 *
 * @example
 * ```ts
 * const options: WithContractOptions = { mode: "enforce", maxAttempts: 3 };
 * ```
 * @see packages/mcp/README.md
 */
export type WithContractOptions = HookOptions &
  (SharedGate | (GateOptions & { readonly gate?: never }));

const guardedServers = new WeakSet<object>();

/**
 * Puts a server's tools under a contract: invalid calls are answered before they reach a handler. Returns the server.
 *
 * @remarks Call it before `connect`. If you create a server per request, create one gate and pass it to each:
 * `{ gate }`.
 * @example
 * ```ts
 * await withContract(server, { maxAttempts: 3 }).connect(transport);
 * ```
 * @see packages/mcp/README.md
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
  guardedServers.add(low);
  const connect = low.connect.bind(low) as (transport: SdkTransport) => Promise<void>;
  const hooks = new WeakMap<SdkTransport, () => void>();
  low.connect = async (transport: SdkTransport) => {
    // A server refuses a second transport while it is connected; the same transport may be tried again later.
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
  if (guardedServers.has(low)) {
    throw new ToolContractError("withContract: this server already has a contract.");
  }
  if (low.transport !== undefined) {
    throw new ToolContractError(
      "withContract: this server is already connected; call withContract before connect.",
    );
  }
  return low as LowLevelServer;
}

/** The server is the user's own program: what clients make of arguments is repaired before it gets them. */
function withRepairs(own: GateOptions): GateOptions {
  const isLeft = own.contract === undefined && own.unwrapStrings === undefined;
  return isLeft && own.mode !== "audit" ? { ...own, unwrapStrings: true } : own;
}

function gateFor(options: Omit<WithContractOptions, "attemptKey">, isValidating: boolean): Gate {
  const { gate, ...own } = options as { readonly gate?: Gate } & GateOptions;
  if (gate === undefined) {
    // A low-level server runs its handlers with any arguments, so soft calls must be rejected here.
    return gateOf(
      createGateServices(withRepairs(own), "withContract", isValidating ? "assist" : "reject"),
    );
  }
  const [stray] = Object.keys(own);
  if (stray === undefined && typeof gate?.fromClient === "function") return gate;
  throw new ToolContractError(
    stray === undefined
      ? "withContract: option 'gate' must be what createGate(…) returns."
      : `withContract: pass either a gate or its options, not both; '${stray}' belongs to createGate.`,
  );
}
