import { decideCall, type Deciding, mayRefuseValid } from "./decide-call.ts";
import { type Decision, FORWARD, forwardValid } from "./forward-valid.ts";
import type { GateServices } from "./gate-services.ts";
import type { Link, Message, Ruling } from "./link.ts";
import type { LinkState } from "./link-state.ts";
import { isRecord } from "./record.ts";
import { readRequestId, type RequestId } from "./request-id.ts";
import { isRuled } from "./ruled-method.ts";
import { readToolCall } from "./tool-call-request.ts";

const DROP: Ruling = Object.freeze({ kind: "drop" });

/** Rules on a client's message; only tool calls are ever held, answered or dropped. */
export function passClient(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Ruling | Promise<Ruling> {
  const { method } = message;
  if (!isRuled(method)) return FORWARD;
  switch (method) {
    case "tools/call":
      return ruleOnCall(message, link, state, services);
    case "tools/list":
      expectPage(message, link, state, services);
      return FORWARD;
    case "notifications/cancelled":
      return cancel(message, state);
  }
}

function ruleOnCall(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Ruling | Promise<Ruling> {
  const call = readToolCall(message);
  if (!call || services.isOff(call.name)) return FORWARD;
  const list = services.lists.of(link);
  const tool = list.find(call.name);
  const turn = services.turns.join(link.attemptKey, call.name, call.arguments);
  const controller = new AbortController();
  const { signal } = controller;
  const checked = tool && services.check(tool, call.arguments, signal);
  const isThere = checked !== undefined && "status" in checked;
  if (tool && isThere && checked.status === "valid" && !mayRefuseValid(services)) {
    const decision = forwardValid({ call, link, turn, tool, checked }, services);
    return remember(decision, call.id, state);
  }
  const deciding = { call, link, turn, list, tool, checked, signal };
  return hold(deciding, controller, state, services);
}

async function hold(
  deciding: Deciding,
  controller: AbortController,
  state: LinkState,
  services: GateServices,
): Promise<Ruling> {
  const { call, signal } = deciding;
  state.held.set(call.id, controller);
  try {
    const decision = await decideCall(deciding, services);
    return signal.aborted ? DROP : remember(decision, call.id, state);
  } catch (thrown) {
    // Whatever it was, nobody waits for the call any more.
    if (signal.aborted) return DROP;
    throw thrown;
  } finally {
    if (state.held.get(call.id) === controller) state.held.delete(call.id);
  }
}

function remember({ ruling, pending }: Decision, id: RequestId, state: LinkState): Ruling {
  if (pending) state.pending.set(id, pending);
  return ruling;
}

function expectPage(
  message: Message,
  link: Link,
  { pending }: LinkState,
  { lists }: GateServices,
): void {
  const id = readRequestId(message["id"]);
  const { params = {} } = message;
  if (id === undefined || !isRecord(params)) return;
  const { cursor } = params;
  if (cursor !== undefined && typeof cursor !== "string") return;
  pending.set(id, { kind: "list", cursor, state: lists.of(link).state });
}

function cancel({ params }: Message, { held, pending }: LinkState): Ruling {
  const id = isRecord(params) ? readRequestId(params["requestId"]) : undefined;
  if (id === undefined) return FORWARD;
  const controller = held.get(id);
  controller?.abort();
  pending.take(id);
  return controller ? DROP : FORWARD;
}
