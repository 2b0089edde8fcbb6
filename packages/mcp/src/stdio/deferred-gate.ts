import type { Gate, Ruling } from "../gate/index.ts";
import { isHandled } from "../wire/index.ts";

/** What the relay asks of a gate. */
export type RelayGate = Pick<Gate, "fromClient" | "fromServer" | "awaits" | "closed">;

const FORWARD: Ruling = { kind: "forward" };

/** A gate that is still loading: what it must see waits for it, everything else does not. */
export function deferredGate(loading: Promise<Gate>): RelayGate {
  let gate: Gate | undefined;
  const loaded = loading.then((one) => {
    gate = one;
    return one;
  });
  // Whoever loads it hears of a failure.
  loaded.catch(() => undefined);
  return {
    fromClient(message, link) {
      if (gate) return gate.fromClient(message, link);
      // Nothing may overtake the first messages of a client.
      if (!isHandled(message["method"])) return FORWARD;
      return loaded.then(async (late) => late.fromClient(message, link));
    },
    // Nothing that it would wait for has been sent yet.
    awaits: (link) => gate?.awaits(link) ?? false,
    fromServer: (message, link) => gate?.fromServer(message, link),
    closed: (link) => gate?.closed(link),
  };
}
