import {
  isRecord,
  type LostCall,
  type Message,
  readRequestId,
  readResponse,
} from "../wire/index.ts";
import { type CallInGate, type MalformedCall, readToolCall, type ToolCallRequest } from "./call.ts";
import type { CallTrace } from "./call-span.ts";
import { ownedKeyOf } from "./conversations.ts";
import { decideCall } from "./decide-call.ts";
import {
  createInFlight,
  type Decision,
  type Expected,
  type Flights,
  type InFlight,
} from "./in-flight.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { limitCall } from "./limited-call.ts";
import { DROP, FORWARD, type Link, type Ruling } from "./link.ts";
import { isTimeout, thrownByLost } from "./lost-call.ts";
import type { GateServices } from "./options.ts";
import { resultCheckOf } from "./result-check.ts";
import { CANCELLED, errorTypeOf, errorTypeOfLost } from "./operations.ts";
import type { ShownSchema } from "@toolcontract/core/adapter";
import { decideStaged } from "./staged-call.ts";
import { passOrRefuse } from "./unread-message.ts";

/** A link, and its requests that have no answer yet. */
export interface Connection {
  readonly link: Link;
  readonly flights: Flights;
}

/** The connection of a client's message, and the trace that the message is in. */
interface Incoming extends Connection {
  readonly trace: CallTrace;
}

/** Decides on a client's message; only tool calls are ever held, answered or dropped. */
export function routeFromClient(
  message: Message,
  connection: Incoming,
  services: GateServices,
): Ruling | Promise<Ruling> {
  switch (message["method"]) {
    case "tools/call":
      return routeCall(message, connection, services);
    case "tools/list":
      expectPage(message, connection, services);
      return FORWARD;
    case "notifications/cancelled":
      return cancel(message, connection);
    default:
      if (!("method" in message)) connection.flights.heard("fromClient", message);
      return FORWARD;
  }
}

/** Inspects a server's message and returns its replacement, if there is one; null drops it. */
export function routeFromServer(
  message: Message,
  { link, flights }: Connection,
  services: GateServices,
  text?: () => string,
): Message | null | undefined | Promise<Message | undefined> {
  const { method } = message;
  if (method !== undefined) {
    if (method === "notifications/tools/list_changed") services.lists.of(link).expire();
    else flights.heard("fromServer", message);
    return undefined;
  }
  const response = readResponse(message);
  const flight = response && flights.take(response.id);
  if (response === undefined || flight === undefined) return undefined;
  if (flight.isOver) return null;
  const { expects, limits, checkResult, measure } = flight;
  flights.endLimits(flight);
  const cut = response.kind === "result" ? limits?.cut(message, response.result, text) : undefined;
  const show = (settled: Message | undefined): Message | undefined => {
    const whole = settled ?? cut;
    const replaced = checkResult?.(settled ?? message);
    const shown = (replaced && limits?.cut(replaced, resultOf(replaced))) ?? replaced ?? whole;
    measure?.(errorTypeOf(shown ?? message));
    return shown;
  };
  const settled = expects?.settle({ message, response, cut: cut ?? message });
  return settled instanceof Promise ? settled.then(show) : show(settled);
}

function resultOf({ result }: Message): Message {
  return isRecord(result) ? result : {};
}

/** A call that was sent, and how it ended without an answer. */
export interface LostRequest {
  /** The id of the request. */
  readonly id: unknown;
  /** How it ended. */
  readonly lost: LostCall;
  /** Whether the response of the server is relayed: that is the client's answer. */
  readonly isRelayed?: boolean;
}

/** Ends a call that gets no answer; returns what the client gets, if it is the contract's, and null if it has its answer. */
export function routeLost(
  { id, lost, isRelayed = false }: LostRequest,
  { flights }: Connection,
  services: GateServices,
): null | undefined | Promise<Message | undefined> {
  const read = readRequestId(id);
  const flight = read === undefined ? undefined : flights.find(read);
  if (flight === undefined) return undefined;
  const { expects, measure, isOver } = flight;
  // A refusal of the server may hold an answer, unless a stage waits for the result of a tool.
  if (lost.kind === "refused" && expects?.fail === undefined && !isRelayed) return undefined;
  flight.expects = undefined;
  flight.checkResult = undefined;
  flight.measure = undefined;
  flight.isOver = false;
  flights.endLimits(flight);
  if (isOver) return null;
  const error = errorTypeOfLost(lost);
  services.contract.settings.log({ level: "info", package: "mcp", error_type: error }, UNANSWERED);
  measure?.(error);
  expects?.unanswered?.();
  return expects?.fail?.(thrownByLost(lost));
}

/** Reads a call, decides on it, puts it under its limits, and tracks it. */
function routeCall(
  message: Message,
  { link, flights, trace }: Incoming,
  services: GateServices,
): Ruling | Promise<Ruling> {
  const call = readToolCall(message);
  const measure = measureOf(call, { link, trace }, services);
  const flight = createInFlight(call.id, { measure });
  const limit = ({ ruling, expects }: Decision): Ruling | Promise<Ruling> => {
    flight.expects = expects;
    if ("problem" in call) return ruling;
    if (ruling.kind === "forward") flight.checkResult = resultCheckOf({ call, link }, services);
    return limitCall(ruling, { call, link, flight, flights }, services);
  };
  const track = (ruling: Ruling): Ruling => {
    if (flight.isAborted()) {
      flights.lose(flight);
      return DROP;
    }
    if (ruling.kind === "answer") flight.measure?.(errorTypeOf(ruling.message));
    else if (ruling.kind === "drop") flight.measure?.(CANCELLED);
    else flights.sent(flight);
    return ruling;
  };
  const decision = decide(call, { link, flight, isRequest: "id" in message }, services);
  const limited = decision instanceof Promise ? decision.then(limit) : limit(decision);
  return limited instanceof Promise ? flights.hold(flight, limited.then(track)) : track(limited);
}

/** Starts the clock of a call that will have an answer, if anybody reads it. */
function measureOf(
  { name }: ReadCall,
  { link, trace }: Pick<Incoming, "link" | "trace">,
  { operations, lists }: GateServices,
): InFlight["measure"] {
  if ((operations ?? trace.end) === undefined) return undefined;
  const end = operations?.begin();
  return (error) => {
    const tool = name === undefined ? undefined : lists.of(link).find(name)?.name;
    end?.({ tool, transport: link.transport, error });
    trace.end?.({ tool, error });
  };
}

type ReadCall = ToolCallRequest | MalformedCall;

interface Deciding {
  readonly link: Link;
  readonly flight: InFlight;
  /** False for a notification, which must not be answered. */
  readonly isRequest: boolean;
}

function decide(
  call: ReadCall,
  { link, flight, isRequest }: Deciding,
  services: GateServices,
): Decision | Promise<Decision> {
  if (call.name !== undefined && services.isOff(call.name)) {
    services.unvalidated.add("turned-off", "forwarded");
    return { ruling: FORWARD };
  }
  if ("problem" in call) {
    const ruling = passOrRefuse({ reason: "unreadable", ...call.problem }, services);
    return { ruling: ruling.kind === "answer" && !isRequest ? DROP : ruling };
  }
  const turn = services.turns.join(ownedKeyOf(link), call.name, call.arguments);
  const inGate = { call, link, turn, flight };
  const judgement = judgeCall(inGate, services);
  return judgement instanceof Promise
    ? judgement.then(async (late) => decideJudged(inGate, late, services))
    : decideJudged(inGate, judgement, services);
}

function decideJudged(
  inGate: CallInGate,
  judgement: Judgement,
  services: GateServices,
): Decision | Promise<Decision> {
  inGate.turn.judged(judgement.kind !== "invalid");
  return services.contract.settings.runsTools
    ? decideStaged(inGate, judgement, services)
    : decideCall(inGate, judgement, services);
}

const UNANSWERED = "Tool call got no answer from the server";

/** The page of tools that a client requests is good for the gate as well. */
function expectPage(message: Message, { link, flights }: Connection, services: GateServices): void {
  const { id, params = {} } = message;
  if (!isRecord(params)) return;
  const { cursor } = params;
  if (cursor !== undefined && typeof cursor !== "string") return;
  const { state } = services.lists.of(link);
  const expects: Expected = {
    settle({ message: answer, response }) {
      if (response.kind !== "result") return undefined;
      services.lists.of(link).learn(cursor, response.result, state);
      return services.shown && pageWith(services.shown, answer, response.result);
    },
    mustBeRead: services.shown !== undefined,
  };
  flights.sent(createInFlight(readRequestId(id), { expects }));
}

/** A page with the schemas that the client is shown; undefined if they are those of the server. */
function pageWith(shown: ShownSchema, answer: Message, result: Message): Message | undefined {
  const { tools } = result;
  if (!Array.isArray(tools)) return undefined;
  const written = tools.map((tool: unknown) => {
    if (!isRecord(tool) || typeof tool["name"] !== "string") return tool;
    const own = isRecord(tool["inputSchema"]) ? tool["inputSchema"] : {};
    const inputSchema = shown(tool["name"], own);
    return inputSchema === own ? tool : { ...tool, inputSchema };
  });
  if (written.every((tool, index) => tool === tools[index])) return undefined;
  return { ...answer, result: { ...result, tools: written } };
}

const TIMED_OUT: LostCall = { kind: "unanswered", how: "time" };

function cancel({ params }: Message, { flights }: Connection): Ruling {
  const { requestId, reason } = isRecord(params) ? params : {};
  const id = readRequestId(requestId);
  const lost = isTimeout(reason) ? TIMED_OUT : undefined;
  return id !== undefined && flights.cancel(id, lost) ? DROP : FORWARD;
}
