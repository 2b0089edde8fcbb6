import { isRecord } from "@toolcontract/core/adapter";
import { type CallClocks, createCallClocks } from "../limits/index.ts";

const watched = new WeakMap<object, CallClocks>();

/**
 * The clocks of a client's calls. What the server asks, and what the client answers, is seen on the client's transport: the client
 * shows neither.
 */
export function clocksOf(client: object): CallClocks {
  const transport: unknown = Reflect.get(client, "transport");
  if (!isRecord(transport)) return createCallClocks();
  const known = watched.get(transport);
  if (known) return known;
  const clocks = createCallClocks();
  watched.set(transport, clocks);
  const onmessage = watching(transport, "onmessage", (message) => {
    if ("method" in message) clocks.fromServer(message);
  });
  const send = watching(transport, "send", (message) => {
    if (!("method" in message)) clocks.fromClient(message);
  });
  Object.assign(transport, { onmessage, send });
  return clocks;
}

/** A method of a transport, before which `see` sees the message. */
function watching(
  transport: Readonly<Record<string, unknown>>,
  name: string,
  see: (message: Readonly<Record<string, unknown>>) => void,
): unknown {
  const method = transport[name];
  if (typeof method !== "function") return method;
  return (...args: readonly unknown[]): unknown => {
    const [message] = args;
    if (isRecord(message)) see(message);
    return Reflect.apply(method, transport, args);
  };
}
