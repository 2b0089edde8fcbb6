import type { Gate, Ruling } from "../gate/index.ts";
import { createElicitation, createOwnRequests, isRecord, type Message } from "../wire/index.ts";
import { type AttemptKeyOf, linkKeys } from "./link-keys.ts";
import type { SdkTransport } from "./sdk-server.ts";
import { createTransportLinks } from "./transport-links.ts";

/** What the hook of a transport needs. */
export interface HookParts {
  readonly gate: Gate;
  readonly attemptKeyOf: AttemptKeyOf | undefined;
}

type OnMessage = (message: unknown, extra?: unknown) => void;
type Send = (message: unknown, options?: unknown) => Promise<void>;

/** Puts the gate between a transport and the server that connects to it; returns a function that ends the hook. */
export function hookTransport(transport: SdkTransport, parts: HookParts): () => void {
  const { gate, attemptKeyOf } = parts;
  const send = transport.send.bind(transport) as Send;
  const extras = new WeakMap<Message, unknown>();
  const onMessage = replaceOnMessage(transport, receive);
  const keys = linkKeys(transport, attemptKeyOf);
  const elicitation = createElicitation((question, about) => {
    send(question, { relatedRequestId: about["id"] }).catch(onError);
  });
  const elicit = elicitation.ask;
  const links = createTransportLinks({ ...keys, listTools, callTool, notify, elicit });
  let extraOfCall: unknown;
  const own = createOwnRequests((request) => onMessage.deliver(request, extraOfCall));

  async function listTools(params: Message, like: Message): Promise<unknown> {
    extraOfCall = extras.get(like);
    return own.list(params, like);
  }

  async function callTool(params: Message, like: Message): Promise<unknown> {
    extraOfCall = extras.get(like);
    return own.call(params, like);
  }

  function notify(message: Message, like: Message): void {
    onMessage.deliver(message, extras.get(like));
  }

  function receive(message: unknown, extra: unknown): void {
    if (!isRecord(message)) return onMessage.deliver(message, extra);
    if (elicitation.read(message)) return undefined;
    if (!("method" in message)) {
      // An answer to the server's question, which may be about any call.
      for (const link of links.all()) void gate.fromClient(message, link);
      return onMessage.deliver(message, extra);
    }
    if (message["method"] === "tools/call") extras.set(message, extra);
    const ruling = gate.fromClient(message, links.of(message, extra));
    // Everything else stays synchronous, so that messages keep their order.
    if (!(ruling instanceof Promise)) return apply(ruling, message, extra);
    ruling.then((late) => apply(late, message, extra)).catch(onError);
  }

  function apply(ruling: Ruling, message: Message, extra: unknown): void {
    const answer = (other: Message): void => {
      send(other, { relatedRequestId: message["id"] }).catch(onError);
    };
    if (ruling.kind === "answer") answer(ruling.message);
    if (ruling.kind !== "forward") return;
    onMessage.deliver(ruling.message ?? message, extra);
    void ruling.limited?.givenUp?.then(answer);
  }

  function onError(thrown: unknown): void {
    transport.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
  }

  transport.send = async (message: unknown, options?: unknown) => {
    if (!isRecord(message)) return send(message, options);
    if (own.waiting() && own.take(message)) return undefined;
    if (own.waiting() && isRecord(options)) {
      // What a tool sends beside its result goes with the client's own request.
      const relatedRequestId = own.originOf(options["relatedRequestId"]);
      if (relatedRequestId !== undefined) return send(message, { ...options, relatedRequestId });
    }
    if ("method" in message) {
      for (const link of links.all()) void gate.fromServer(message, link);
      return send(message, options);
    }
    const link = links.ofAnswer(message);
    if (link === undefined) return send(message, options);
    const other = gate.fromServer(message, link);
    const settled = other instanceof Promise ? await other : other;
    return settled === null ? undefined : send(settled ?? message, options);
  };

  return () => {
    own.close();
    elicitation.close();
    for (const link of links.all()) gate.closed(link);
  };
}

/**
 * Calls `outer` in place of the server's `onmessage`.
 *
 * @remarks HTTP transports implement `onmessage` as an accessor. Its setter must be called, or the transport delivers
 * no messages.
 */
function replaceOnMessage(
  transport: SdkTransport,
  outer: OnMessage,
): { readonly deliver: OnMessage } {
  const accessor = accessorOf(transport);
  const before = transport.onmessage;
  let inner: OnMessage | undefined;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    // A server that connects reads the previous handler, and calls it as well.
    get: () => (inner === undefined ? before : outer),
    set: (given: OnMessage | undefined) => {
      inner = given;
      accessor?.set?.call(transport, given && outer);
    },
  });
  return { deliver: (message, extra) => inner?.(message, extra) };
}

function accessorOf(transport: object): PropertyDescriptor | undefined {
  let holder: object | null = transport;
  while (holder !== null) {
    const found = Object.getOwnPropertyDescriptor(holder, "onmessage");
    if (found) return found;
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return undefined;
}
