import type { ClientRequest, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { LimitedCall, Link } from "../gate/index.ts";
import type { BodyShare } from "./body-budget.ts";
import { answerFailure, answerLate, type Exchange, type ProxyServices } from "./exchange.ts";
import { endInOneWrite } from "./one-write.ts";
import { framingOf } from "./headers.ts";
import { answerLost, awaitedCall, lostBefore, wordsOfRequest } from "./lost-response.ts";
import { BodyCutOff } from "./read-body.ts";
import { relayResponse } from "./relay-response.ts";
import { isEventStream, readHead, type ResponseHead, withLocation } from "./response-head.ts";
import { lostAnswer, lostByStatus, type Message } from "../wire/index.ts";
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
  /** The limits of the forwarded call. */
  readonly limited?: LimitedCall | undefined;
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
  const { link, id, isCall = false, limited, onResponse } = forwarding;
  // What waits for the response must not hold the body, which may be large: hence two functions.
  return relayAnswer(
    exchange,
    startSending(exchange, forwarding, services),
    { link, id, isCall, limited, onResponse },
    services,
  );
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

async function relayAnswer(
  exchange: Exchange,
  sending: ClientRequest,
  {
    link,
    id,
    isCall,
    limited,
    onResponse,
  }: Pick<Forwarding, "link" | "id" | "isCall" | "limited" | "onResponse">,
  services: ProxyServices,
): Promise<void> {
  const { gate, maxMessageBytes, maxResultBytes = maxMessageBytes } = services;
  const { response, contain } = exchange;
  const hasQuestion = response.headersSent;
  let isLost = false;
  const giveUp = (late: Message): void => {
    answerLate(
      exchange,
      late,
      hasQuestion || (answer !== undefined && isEventStream(readHead(answer))),
    );
    abort(sending);
  };
  const call = isCall && link ? awaitedCall(exchange, link, id, gate) : undefined;
  const stopped = { kind: "unanswered", how: "stopped" } as const;
  const giveUpAs = (other: Message | null | undefined): void => {
    if (other !== null) giveUp(other ?? lostAnswer(id, stopped));
  };
  const lose = (): undefined | Promise<void> => {
    isLost = true;
    const other = call?.lose(stopped);
    if (other instanceof Promise) {
      return other.then((late) => giveUpAs(late));
    }
    giveUpAs(other);
    return undefined;
  };
  if (isCall) services.openCalls.add(lose);
  response.once("close", () => {
    services.openCalls.delete(lose);
    if (response.writableFinished) return;
    abort(sending);
    contain(() => {
      limited?.end();
      // In the stateless protocol, disconnecting is how a client cancels a call.
      if (call?.hasSession === false && link) void gate.fromClient(cancellationOf(id), link);
    });
  });
  const isOver = (): boolean => isLost || (limited?.isOver() ?? false);
  let answer: IncomingMessage | undefined;
  const givenUp = limited?.givenUp;
  if (givenUp !== undefined) {
    contain(async () => {
      giveUp(await givenUp);
    });
  }
  try {
    answer = await responseTo(sending);
    onResponse?.(answer);
  } catch (thrown) {
    if (isOver()) return;
    limited?.end();
    const lost = lostBefore(thrown, sending, response);
    if (call) await answerLost(response, call, lost);
    else answerFailure(response, 502, wordsOfRequest(lost), id);
    return;
  }
  try {
    const head = headToRelay(answer, services);
    if (call && lostByStatus(head.status).kind === "refused") {
      await call.lose(lostByStatus(head.status));
    }
    const relay = { from: answer, to: response, head };
    const watch = link && { gate, link, id, call, maxMessageBytes: maxResultBytes, isOver };
    const relayed = relayResponse(relay, watch);
    if (relayed !== undefined) await relayed;
    // A stream of events may end early, and the response come on another one.
    if (limited && !isEventStream(head)) limited.end();
  } catch (thrown) {
    // A connection whose response nobody reads to its end would stay open.
    if (!answer.readableEnded) abort(sending);
    if (!isOver()) limited?.end();
    if (!(thrown instanceof BodyCutOff) && thrown !== answer.errored) throw thrown;
    if (isOver()) return;
    // A truncated response must not look complete.
    if (response.headersSent) response.destroy();
    else if (call) await answerLost(response, call, { kind: "unanswered", how: "body" });
    else answerFailure(response, 502, "The MCP server's response broke off.", id);
  }
}

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
