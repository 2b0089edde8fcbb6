import type { Problem, RequestId } from "../wire/index.ts";
import type { Flights } from "./in-flight.ts";
import { FORWARD, type Ruling } from "./link.ts";
import type { GateServices } from "./options.ts";
import type { UnvalidatedReason } from "./unvalidated.ts";

/** A message that the gate cannot validate, and the error that refuses it. */
export interface UnvalidatedMessage extends Problem {
  /** Why it cannot be validated. */
  readonly reason: Extract<UnvalidatedReason, "unreadable" | "too-large" | "other-path">;
  /** Whether it is refused although `failOpen` is set. */
  readonly failsClosed?: boolean;
}

/**
 * Decides on a message that cannot be validated. One that servers may read differently is refused; others are forwarded
 * unless the user set `failOpen: false`.
 */
export function passOrRefuse(
  { reason, code, message, id, failsClosed = reason === "unreadable" }: UnvalidatedMessage,
  { contract, settings, unvalidated }: GateServices,
): Ruling {
  const mustPass = settings.mode !== "enforce";
  const mayPass = settings.failOpen && !failsClosed && !contract.settings.runsTools;
  if (mustPass || mayPass) {
    unvalidated.add(reason, "forwarded");
    return FORWARD;
  }
  unvalidated.add(reason, "refused");
  const error = { code, message: `Refused by the proxy: ${message}.` };
  return { kind: "answer", message: { jsonrpc: "2.0", id, error } };
}

/** A message that a transport relays without reading it, because it is over the size limit. */
export interface UnreadMessage {
  /** Who sent it. */
  readonly from: "client" | "server";
  /** The id of the request that it answers, if it is a response. */
  readonly answers?: RequestId | undefined;
}

/** Counts a message that is relayed unread, and ends what waits for it. */
export function passUnread(
  { from, answers }: UnreadMessage,
  flights: Flights | undefined,
  { unvalidated }: GateServices,
): void {
  unvalidated.addUnread(from);
  const flight = answers === undefined ? undefined : flights?.find(answers);
  if (flights === undefined || flight === undefined) return;
  const { measure, expects } = flight;
  flight.measure = undefined;
  // A result of that size is not an error of a tool.
  measure?.(undefined);
  flights.end(flight);
  if (expects?.mustBeRead) unvalidated.report("too-large", new UnreadResult());
}

/** The contract's stage did not see a result, or a list went on with the server's own schemas. */
class UnreadResult extends Error {}
