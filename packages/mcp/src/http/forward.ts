import type { ClientRequest, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { LimitedCall, Link } from "../gate/index.ts";
import type { BodyShare } from "./body-budget.ts";
import { answerFailure, answerLate, type Exchange, type ProxyServices } from "./exchange.ts";
import { decodedResponse } from "./codings.ts";
import { endInOneWrite } from "./one-write.ts";
import { framingOf, headerValue } from "./headers.ts";
import { answerLost, hasFailed, lostBefore, wordsOfRequest } from "./lost-response.ts";
import type { CallStream, OpenCall, SentCall } from "./open-calls.ts";
import { BodyCutOff } from "./read-body.ts";
import { relayResponse } from "./relay-response.ts";
import { isEventStream, readHead, type ResponseHead, withLocation } from "./response-head.ts";
import { lostByStatus, type Message } from "../wire/index.ts";
import { SESSION } from "./separating-headers.ts";
import { abort, responseTo } from "./upstream.ts";

/** The body to forward, and who inspects the response. */
export interface Forwarding {
  /** The whole body, or a stream of it. */
  readonly body: Buffer | Readable;
  /** The part of a streamed body that was already read. */
  readonly head?: Buffer;
  /** The link whose responses the gate may need to see. */
  readonly link?: Link | undefined;
  /** The id of the forwarded request, for the error response if the server cannot be reached. */
  readonly id?: unknown;
  /** Whether it is a tool call that is to be answered. */
  readonly isCall?: boolean;
  /** Whether the server may have it twice: it runs nothing. */
  readonly mayRepeat?: boolean;
  /** The limits of the forwarded call. */
  readonly limited?: LimitedCall | undefined;
  /** The call whose stream the request resumes. */
  readonly resumed?: OpenCall | undefined;
  /** Called with the server's response as soon as its head has arrived. */
  readonly onResponse?: ((response: IncomingMessage) => void) | undefined;
  /** What the body uses of the budget, until the server has it. */
  readonly share?: BodyShare | undefined;
}

/** Forwards a request and relays the response; aborts the request if the client disconnects. */
export function forward(
  exchange: Exchange,
  forwarding: Forwarding,
  services: ProxyServices,
): Promise<void> {
  const { link, id, isCall = false, mayRepeat, limited, resumed, onResponse } = forwarding;
  const again = mayRepeat ? repeating(exchange, forwarding, services) : undefined;
  // What waits for the response must not hold the body, which may be large: hence two functions.
  return relayAnswer(
    exchange,
    startSending(exchange, forwarding, services),
    { link, id, isCall, limited, resumed, onResponse, again },
    services,
  );
}

/** Apart from the others: what it returns holds the body. */
function repeating(
  exchange: Exchange,
  forwarding: Forwarding,
  services: ProxyServices,
): () => ClientRequest {
  return () => startSending(exchange, forwarding, services);
}

/** What waits for a response knows of its request. */
interface Waiting extends Omit<Forwarding, "body" | "head" | "share" | "mayRepeat"> {
  /** Sends it once more. */
  readonly again?: (() => ClientRequest) | undefined;
}

function startSending(
  exchange: Exchange,
  { body, head, link, share }: Forwarding,
  { upstream, gate }: ProxyServices,
): ClientRequest {
  const { request, target, headers } = exchange;
  const framing = framingOf(request, body);
  const method = request.method ?? "GET";
  const isInspected = method === "GET" || (link !== undefined && gate.awaits(link));
  const sending = upstream.start({ method, path: target.path, headers, isInspected, framing });
  if (share) sending.once("finish", share.close).once("close", share.close);
  if (framing === undefined) sending.end();
  else send(sending, body, head);
  return sending;
}

/** Balancers and clients take a connection for dead after a minute or more. */
const SILENCE_MS = 30_000;

async function relayAnswer(
  exchange: Exchange,
  sending: ClientRequest,
  waiting: Waiting,
  services: ProxyServices,
): Promise<void> {
  const { link, id, isCall, limited, resumed, onResponse, again } = waiting;
  const { gate, openCalls, maxMessageBytes, maxResultBytes = maxMessageBytes } = services;
  const { silenceMs = SILENCE_MS } = services;
  const { response, contain } = exchange;
  const hasQuestion = response.headersSent;
  let answer: IncomingMessage | undefined;
  const stream: CallStream = (late) => {
    const isEvents = answer !== undefined && isEventStream(readHead(answer));
    answerLate(exchange, late, hasQuestion || isEvents);
    abort(sending);
  };
  const own = isCall && link ? openCalls.begin(sentBy(exchange, { link, id, limited })) : undefined;
  const call = own ?? resumed;
  response.once("close", () => {
    const isWhole = response.writableFinished;
    if (!isWhole) abort(sending);
    contain(() => {
      if (isWhole) {
        call?.ended(stream);
        return;
      }
      if (call?.isResumable() === true) call.wait(stream);
      else call?.ended(stream);
      // In the stateless protocol, disconnecting is how a client cancels a call.
      if (own?.hasSession === false && link) void gate.fromClient(cancellationOf(id), link);
    });
  });
  call?.moveTo(stream);
  const isOver = (): boolean => call?.isOver() ?? false;
  try {
    answer = await responseTo(sending);
    services.reachability.answered();
    onResponse?.(answer);
  } catch (thrown) {
    if (isOver()) return;
    const lost = lostBefore(thrown, sending, response);
    // The server closed an idle connection at that moment.
    if (again && sending.reusedSocket && !response.destroyed) {
      await relayAnswer(exchange, again(), { ...waiting, again: undefined }, services);
      return;
    }
    if (lost.kind === "not-sent" && !response.destroyed) services.reachability.away(lost.code);
    resumed?.wait(stream);
    if (own) await answerLost(response, own, lost);
    else answerFailure(response, 502, wordsOfRequest(lost), id);
    return;
  }
  try {
    let head = headToRelay(answer, services);
    if (head.isCoded && link && isRead(exchange, head, gate.awaits(link))) {
      answer = decodedResponse(answer);
      head = headToRelay(answer, services);
    }
    if (own && lostByStatus(head.status).kind === "refused") {
      await own.lose(lostByStatus(head.status));
    }
    if (head.status === GONE && link) openCalls.forgotten(link);
    const isStream = isEventStream(head);
    const relay = { from: answer, to: response, head };
    const awaited = isStream ? call : own;
    const watch = link && {
      gate,
      link,
      id: awaited?.id ?? id,
      call: awaited,
      stream,
      maxMessageBytes: maxResultBytes,
      silenceMs,
      isOver,
    };
    const relayed = relayResponse(relay, watch);
    if (relayed !== undefined) await relayed;
    // A stream of events may end early, and the response come on another one.
    if (isStream) return;
    const byStatus = lostByStatus(head.status);
    if (byStatus.kind === "refused") own?.relayed(byStatus);
    own?.ended(stream);
    resumed?.wait(stream);
    if (resumed && NOT_RESUMABLE.has(head.status)) resumed.giveUp();
  } catch (thrown) {
    // A connection whose response nobody reads to its end would stay open.
    if (!answer.readableEnded) abort(sending);
    if (!(thrown instanceof BodyCutOff) && thrown !== answer.errored) throw thrown;
    if (isOver()) return;
    const lost = { kind: "unanswered", how: "body" } as const;
    // A truncated response must not look complete.
    if (response.headersSent) {
      response.destroy();
      if (call?.isResumable() !== true) await own?.lose(lost);
    } else if (own) await answerLost(response, own, lost);
    else answerFailure(response, 502, "The MCP server's response broke off.", id);
  }
}

/** Whether a response matters to the gate, which would not understand it encoded. */
function isRead({ request }: Exchange, head: ResponseHead, isAwaited: boolean): boolean {
  return isAwaited || hasFailed(head) || (request.method === "GET" && isEventStream(head));
}

function sentBy(
  { headers, contain }: Exchange,
  sent: Pick<SentCall, "link" | "id" | "limited">,
): SentCall {
  return { ...sent, contain, hasSession: headerValue(headers, SESSION) !== undefined };
}

/** The server has forgotten the session. */
const GONE = 404;
/** With these, a server says that it does not resume a stream, now or later. */
const NOT_RESUMABLE: ReadonlySet<number> = new Set([400, GONE, 405, 410, 501]);

function cancellationOf(requestId: unknown): Message {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

/** A client that was redirected to the server's own address would leave the proxy. */
function headToRelay(answer: IncomingMessage, { upstream, gate }: ProxyServices): ResponseHead {
  const head = readHead(answer);
  const { status, location = "", list, keepAlive } = head;
  if (keepAlive !== undefined) upstream.announced(keepAlive);
  if (status < 300 || status >= 400) return head;
  const isAbsolute = location.startsWith("//") || URL.canParse(location);
  if (!isAbsolute || !URL.canParse(location, upstream.url.href)) return head;
  const to = new URL(location, upstream.url);
  if (to.host === upstream.url.host) {
    return { ...head, list: withLocation(list, `${to.pathname}${to.search}${to.hash}`) };
  }
  if (status >= KEEPS_METHOD) gate.contract.settings.degraded("redirect", new RedirectedAway());
  return head;
}

/** The server redirects clients to another host, where nothing is validated. */
class RedirectedAway extends Error {}

/** From this status on, a client repeats its message at the other address. */
const KEEPS_METHOD = 307;

function send(sending: ClientRequest, body: Buffer | Readable, head: Buffer | undefined): void {
  if (Buffer.isBuffer(body)) {
    endInOneWrite(sending, body);
    return;
  }
  if (head !== undefined) sending.write(head);
  body.pipe(sending);
  // A truncated body must not look complete.
  body.once("close", () => {
    if (!body.readableEnded) abort(sending);
  });
}
