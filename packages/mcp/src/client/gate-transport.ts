import { ToolContractError } from "@toolcontract/core";
import { viewOf } from "@toolcontract/core/adapter";
import type { Gate } from "../gate/index.ts";
import { createTransportLinks, keyInTrace, type SdkTransport } from "../in-process/index.ts";
import { lostBySend } from "./lost-send.ts";
import { createElicitation, createOwnRequests, isRecord, type Message } from "../wire/index.ts";

type OnMessage = (message: unknown, extra?: unknown) => void;
type Send = (message: unknown, options?: SendOptions) => Promise<void>;

/** What the gate reads of the options with which a client sends. */
interface SendOptions {
  /** Aborted instead of sending a cancellation, in the stateless protocol over HTTP. */
  readonly requestSignal?: AbortSignal | undefined;
}

const gated = new WeakSet<object>();

/**
 * Puts a gate between a client and its transport, of either SDK generation: an invalid call is answered without reaching
 * the server, and a server's own rejection is rewritten in the contract's words. Returns a transport of the same type,
 * for the client's `connect`.
 *
 * @remarks Attempts and tool lists are each transport's own, so transports may share a gate. Everything but `send` and
 * the callbacks stays as it is.
 *
 * @throws ToolContractError if an argument is something else, or the transport has a gate.
 * @example
 * ```ts
 * await client.connect(gateTransport(transport, createGate({ maxAttempts: 3 })));
 * ```
 * @see docs/getting-started.md
 */
export function gateTransport<Transport extends SdkTransport>(
  transport: Transport,
  gate: Gate,
): Transport {
  checkParts(transport, gate);
  const send = transport.send.bind(transport) as Send;
  const client = {
    onmessage: transport.onmessage as OnMessage | undefined,
    onclose: transport.onclose,
    send: fromClient,
  };
  const name = `client-${globalThis.crypto.randomUUID()}`;
  let connection = open();
  Object.assign(transport, { onmessage: fromServer, onclose: closed });

  function open() {
    const own = createOwnRequests((request) => {
      send(request).catch(() => own.take({ id: request["id"], error: {} }));
    });
    const elicitation = createElicitation(deliver);
    const links = createTransportLinks({
      elicit: elicitation.ask,
      attemptKeyOf: (message) => keyInTrace(name, message),
      callerOf: () => name,
      listKeyOf: () => name,
      listTools: own.list,
      callTool: own.call,
      notify: (message) => void send(message).catch(onError),
    });
    return { own, links, elicitation };
  }

  async function fromClient(message: unknown, options?: SendOptions): Promise<void> {
    if (!isRecord(message)) return send(message, options);
    if (connection.elicitation.read(message)) return undefined;
    if (!("method" in message)) {
      // An answer to the server's question, which may be about any call.
      for (const link of connection.links.all()) void gate.fromClient(message, link);
      return send(message, options);
    }
    const link = connection.links.of(message, undefined);
    const forget = (): void => void gate.fromClient(cancellationOf(message), link);
    options?.requestSignal?.addEventListener("abort", forget);
    const ruling = gate.fromClient(message, link);
    // Messages that are not held are sent at once, so that they keep their order.
    const decided = ruling instanceof Promise ? await ruling : ruling;
    if (decided.kind === "answer") deliver(decided.message);
    if (decided.kind !== "forward") return undefined;
    void decided.limited?.givenUp?.then(deliver);
    return send(decided.message ?? message, options).catch(async (thrown: unknown) => {
      // Aborted, the client has cancelled.
      const isLost = options?.requestSignal?.aborted !== true;
      const lost = { id: message["id"], lost: lostBySend(thrown) };
      const other = isLost ? await gate.lost(lost, link) : undefined;
      forget();
      if (other === undefined) throw thrown;
      if (other) deliver(other);
    });
  }

  function fromServer(message: unknown, extra?: unknown): void {
    if (!isRecord(message)) return deliver(message, extra);
    const { own, links } = connection;
    if (own.take(message)) return undefined;
    if ("method" in message) {
      for (const link of links.all()) void gate.fromServer(message, link);
      return deliver(message, extra);
    }
    const link = links.ofAnswer(message);
    const other = link && gate.fromServer(message, link);
    if (other instanceof Promise) {
      other.then((late) => replace(message, late, extra)).catch(onError);
      return undefined;
    }
    return replace(message, other, extra);
  }

  function replace(message: Message, other: Message | null | undefined, extra: unknown): void {
    if (other !== null) deliver(other ?? message, extra);
  }

  function deliver(message: unknown, extra?: unknown): void {
    client.onmessage?.(message, extra);
  }

  function closed(): void {
    const { own, links, elicitation } = connection;
    connection = open();
    own.close();
    elicitation.close();
    for (const link of links.all()) gate.closed(link);
    client.onclose?.();
  }

  function onError(thrown: unknown): void {
    transport.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }

  const view = viewOf(transport, client);
  gated.add(transport).add(view);
  return view;
}

function checkParts(transport: SdkTransport, gate: Gate): void {
  if (typeof transport?.send !== "function") {
    throw new ToolContractError(
      "gateTransport: pass a client's transport of @modelcontextprotocol/client or @modelcontextprotocol/sdk.",
    );
  }
  if (typeof gate?.fromClient !== "function") {
    throw new ToolContractError("gateTransport: pass what createGate(…) returns as the gate.");
  }
  if (gated.has(transport)) {
    throw new ToolContractError("gateTransport: this transport already has a gate.");
  }
}

/** Tells the gate that a request gets no response. */
function cancellationOf({ id }: Message): Message {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
}
