import { createRecentMap, type RecentMap } from "@toolcontract/core/adapter";
import {
  isHandled,
  isRecord,
  type Message,
  type Problem,
  readRequestId,
  readResponse,
  type RequestId,
  type ServerResponse,
} from "../wire/index.ts";
import { readToolCall } from "./call.ts";
import {
  decideCall,
  type Deciding,
  type Decision,
  forwardValid,
  mayRefuseValid,
} from "./decide-call.ts";
import { type Limited, endLimited, limitCall } from "./limited-call.ts";
import { DROP, FORWARD, type Link, type Ruling } from "./link.ts";
import { ownedKeyOf } from "./conversations.ts";
import type { GateServices } from "./options.ts";
import { addNote, type Pending, settleInvalid } from "./settle-response.ts";
import type { StagedCall } from "./staged-call.ts";
import type { UnvalidatedReason } from "./unvalidated.ts";

const MAX_PENDING = 10_000;

/** What the gate remembers of one link. */
export interface LinkState {
  /** Calls that are being decided on. */
  readonly held: Map<RequestId, AbortController>;
  /** Forwarded requests whose response the gate needs to see. */
  readonly pending: RecentMap<RequestId, Pending>;
  /** Forwarded calls that the contract's stage waits for. */
  readonly staged: Map<RequestId, StagedCall>;
  /** Forwarded calls with limits. */
  readonly limited: Map<RequestId, Limited>;
  /** What records the end of forwarded calls. */
  readonly measured: RecentMap<RequestId, (answer: Message) => void>;
  /** Calls whose time was over; a late response is dropped. */
  readonly abandoned: RecentMap<RequestId, true>;
}

/** Creates the state of a new link. */
export function createLinkState(): LinkState {
  return {
    held: new Map(),
    pending: createRecentMap(MAX_PENDING),
    staged: new Map(),
    limited: new Map(),
    measured: createRecentMap(MAX_PENDING),
    abandoned: createRecentMap(MAX_PENDING),
  };
}

/** Decides on a client's message; only tool calls are ever held, answered or dropped. */
export function routeFromClient(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Ruling | Promise<Ruling> {
  const { method } = message;
  if (!isHandled(method)) return FORWARD;
  switch (method) {
    case "tools/call":
      return handleLimited(message, link, state, services);
    case "tools/list":
      expectPage(message, link, state, services);
      return FORWARD;
    case "notifications/cancelled":
      return cancel(message, state);
  }
}

/** Inspects a server's message and returns its replacement, if there is one; null drops it. */
export function routeFromServer(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Message | null | undefined | Promise<Message | undefined> {
  if (message["method"] === "notifications/tools/list_changed") {
    services.lists.of(link).expire();
    return undefined;
  }
  const response = readResponse(message);
  if (response === undefined) return undefined;
  if (state.abandoned.take(response.id)) return null;
  const limited = endLimited(response.id, state);
  const cut = response.kind === "result" ? limited?.cut(message, response.result) : undefined;
  const settled = settleResponse({ message, response, cut }, link, state, services);
  return settled instanceof Promise ? settled.then((late) => late ?? cut) : (settled ?? cut);
}

/** A response, and the same within its limit of size if it exceeds it. */
interface Received {
  readonly message: Message;
  readonly response: ServerResponse;
  readonly cut?: Message | undefined;
}

function settleResponse(
  { message, response, cut = message }: Received,
  link: Link,
  state: LinkState,
  services: GateServices,
): Message | undefined | Promise<Message | undefined> {
  const staged = state.staged.get(response.id);
  if (staged) {
    state.staged.delete(response.id);
    return staged.settle(message, response);
  }
  const pending = state.pending.take(response.id);
  switch (pending?.kind) {
    case undefined:
      return undefined;
    case "list":
      if (response.kind === "result") {
        services.lists.of(link).learn(pending.cursor, response.result, pending.state);
      }
      return undefined;
    case "invalid":
      return settleInvalid(response, pending, services);
    case "noted":
      return pending.note.then((note) => addNote(cut, readResponse(cut) ?? response, note));
  }
}

/** Decides on a call, and puts it under the limits that the user has set. */
function handleLimited(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Ruling | Promise<Ruling> {
  const ruling = handleCall(message, link, state, services);
  const { limiter } = services;
  if (limiter === undefined) return ruling;
  const call = readToolCall(message);
  if ("problem" in call) return ruling;
  const abandon = (answer: Message): Message | Promise<Message> => {
    state.abandoned.set(call.id, true);
    const response = readResponse(answer);
    const settled =
      response && settleResponse({ message: answer, response }, link, state, services);
    return settled instanceof Promise
      ? settled.then((other) => other ?? answer)
      : (settled ?? answer);
  };
  return limitCall(ruling, { call, link, state, services, limiter, abandon });
}

function handleCall(
  message: Message,
  link: Link,
  state: LinkState,
  services: GateServices,
): Ruling | Promise<Ruling> {
  if (isOff(message, services)) {
    services.unvalidated.add("turned-off", "forwarded");
    return FORWARD;
  }
  const call = readToolCall(message);
  if ("problem" in call) {
    const ruling = passOrRefuse({ reason: "unreadable", ...call.problem }, services);
    // A notification must not be answered.
    return ruling.kind === "answer" && !("id" in message) ? DROP : ruling;
  }
  const list = services.lists.of(link);
  const tool = list.find(call.name);
  const turn = services.turns.join(ownedKeyOf(link), call.name, call.arguments);
  const controller = new AbortController();
  const { signal } = controller;
  const checked = tool && services.check(tool, call.arguments, signal);
  const isSettled = checked !== undefined && "status" in checked;
  const isBroken = tool !== undefined && services.unvalidated.hasBrokenSchema(tool.name);
  const isPlain = isSettled && !isBroken && !mayRefuseValid(services);
  if (tool && isPlain && checked.status === "valid") {
    const decision = forwardValid({ call, link, turn, tool, checked }, services);
    return remember(decision, call.id, state);
  }
  const deciding = { call, link, turn, list, tool, checked, signal };
  return hold(deciding, controller, state, services);
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
  state: LinkState | undefined,
  { unvalidated }: GateServices,
): void {
  unvalidated.addUnread(from);
  if (answers === undefined || state === undefined) return;
  state.pending.take(answers);
  // A result of that size is no error of a tool.
  state.measured.take(answers)?.({});
  endLimited(answers, state);
  if (!state.staged.has(answers)) return;
  unvalidated.report("too-large", new UnreadResult());
  endStaged(answers, state);
}

/** The contract's stage did not see a result. */
class UnreadResult extends Error {}

function isOff({ params }: Message, services: GateServices): boolean {
  const name = isRecord(params) ? params["name"] : undefined;
  return typeof name === "string" && services.isOff(name);
}

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
    // The client cancelled the call, so its error does not matter.
    if (signal.aborted) return DROP;
    throw thrown;
  } finally {
    if (state.held.get(call.id) === controller) state.held.delete(call.id);
  }
}

function remember({ ruling, pending, staged }: Decision, id: RequestId, state: LinkState): Ruling {
  if (pending) state.pending.set(id, pending);
  if (staged) {
    const [oldest] = state.staged.keys();
    if (state.staged.size >= MAX_PENDING && oldest !== undefined) endStaged(oldest, state);
    state.staged.set(id, staged);
  }
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

/** Ends the wait for a response that will not come. */
export function endStaged(id: RequestId, { staged }: LinkState): void {
  staged.get(id)?.abort();
  staged.delete(id);
}

function cancel({ params }: Message, state: LinkState): Ruling {
  const { held, pending } = state;
  const id = isRecord(params) ? readRequestId(params["requestId"]) : undefined;
  if (id === undefined) return FORWARD;
  const controller = held.get(id);
  controller?.abort();
  pending.take(id);
  endStaged(id, state);
  endLimited(id, state);
  return controller ? DROP : FORWARD;
}
