import type { Gate, Ruling } from "../gate/index.ts";
import { isHandled } from "../wire/index.ts";

/** What the relay needs of a gate. */
export interface RelayGate extends Pick<
  Gate,
  "fromClient" | "fromServer" | "lost" | "awaits" | "passUnread" | "closed"
> {
  readonly passOrRefuse: (...args: Parameters<Gate["passOrRefuse"]>) => Ruling | Promise<Ruling>;
}

/** Forwards the original bytes. The gate's own constant would load the gate. */
export const FORWARD: Ruling = { kind: "forward" };

/** A gate that is still loading: messages it handles wait for it, all others are forwarded. */
export function deferredGate(loading: Promise<Gate>): RelayGate {
  let gate: Gate | undefined;
  const loaded = loading.then((one) => {
    gate = one;
    return one;
  });
  // The caller that started the loading handles its failure.
  loaded.catch(() => undefined);
  return {
    fromClient(message, link) {
      if (gate) return gate.fromClient(message, link);
      if (!isHandled(message["method"])) return FORWARD;
      return loaded.then(async (late) => late.fromClient(message, link));
    },
    passOrRefuse: (message) =>
      gate?.passOrRefuse(message) ?? loaded.then((late) => late.passOrRefuse(message)),
    passUnread(message, link) {
      if (gate) gate.passUnread(message, link);
      else void loaded.then((late) => late.passUnread(message, link));
    },
    // Until it is loaded, no request that it would await has been forwarded.
    awaits: (link) => gate?.awaits(link) ?? false,
    fromServer: (message, link, text) => gate?.fromServer(message, link, text),
    lost: (request, link) => gate?.lost(request, link),
    closed: (link) => gate?.closed(link),
  };
}
