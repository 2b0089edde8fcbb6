import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Gate } from "../gate/index.ts";
import { type Message, INVALID_REQUEST, INTERNAL_ERROR } from "../wire/index.ts";
import type { AllowedClients } from "./allowed-client.ts";
import type { Contain } from "./contain.ts";
import { type Header, isNamed } from "./headers.ts";
import type { AttemptKeySource, KeysOf } from "./identity.ts";
import type { HeadOf } from "./known-head.ts";
import type { Links } from "./links.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Reachability } from "./reachability.ts";
import type { RequestTarget, TargetOf } from "./target.ts";
import type { Upstream } from "./upstream.ts";

/** Options of the proxy. */
export interface ProxyOptions {
  readonly gate: Gate;
  readonly upstream: Upstream;
  /** The path of the MCP endpoint for clients. */
  readonly endpoint: string;
  /** Headers sent to the server, in place of the client's of the same name. */
  readonly headers: readonly Header[];
  readonly allowed: AllowedClients;
  readonly attemptKey: AttemptKeySource;
  /** The only headers that tell users apart, beside session and credentials. */
  readonly vary?: readonly string[] | undefined;
  /** Longer messages are forwarded without being parsed. */
  readonly maxMessageBytes: number;
  /**
   * The same for messages of the server.
   *
   * @default maxMessageBytes
   */
  readonly maxResultBytes?: number;
  /**
   * After this silence a stream of events gets a comment.
   *
   * @default 30_000
   */
  readonly silenceMs?: number;
  readonly listTimeoutMs: number;
  /**
   * How long the head of a request may take to arrive, from its connection on.
   *
   * @default 60 seconds
   */
  readonly headTimeoutMs?: number;
  /**
   * How long the body of a message may take to arrive.
   *
   * @default 30 seconds
   */
  readonly bodyTimeoutMs?: number;
  /**
   * How long a call whose stream ended without the answer waits for its client to resume it, beside the time that the server
   * asks for.
   *
   * @default 5 seconds
   */
  readonly resumeMs?: number;
}

const EVENT_STREAM = "text/event-stream";
const ACCEPTS_JSON = /application\/(?:json|\*)|\*\/\*/i;

/** What all requests share. */
export interface ProxyServices extends ProxyOptions {
  readonly links: Links;
  readonly keysOf: KeysOf;
  readonly targetOf: TargetOf;
  readonly headOf: HeadOf;
  readonly budget: BodyBudget;
  readonly openCalls: OpenCalls;
  readonly reachability: Reachability;
}

/** A client's request, and where its response goes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  /** The headers to send to the server. */
  readonly headers: readonly Header[];
  /** For what its listeners do: nothing else catches what they throw. */
  readonly contain: Contain;
}

/** Answers a request with one message, in a form that the client accepts and the requesting web page may read. */
export function answerMessage(
  { request, response }: Pick<Exchange, "request" | "response">,
  message: Message,
  status = 200,
): void {
  if (response.headersSent) {
    // A question to the client went before it.
    response.end(eventOf(message));
    return;
  }
  const { accept = "*/*" } = request.headers;
  const isEvent = !ACCEPTS_JSON.test(accept) && accept.includes(EVENT_STREAM);
  const body = Buffer.from(isEvent ? eventOf(message) : JSON.stringify(message));
  response.writeHead(status, {
    "content-type": isEvent ? EVENT_STREAM : "application/json",
    "content-length": body.length,
    ...readableBy(request),
  });
  response.end(body);
}

/** Whether a client reads a stream of events in answer to its request. */
export function readsEvents({ headers }: Pick<Exchange, "headers">): boolean {
  return headers.some((header) => isNamed(header, "accept") && header[1].includes(EVENT_STREAM));
}

/** Begins the response to a request with a question to the client; the answer follows on the same stream of events. */
export function answerWithQuestion(
  { request, response }: Pick<Exchange, "request" | "response">,
  question: Message,
): void {
  if (!response.headersSent) {
    response.writeHead(200, {
      "content-type": EVENT_STREAM,
      "cache-control": "no-cache",
      // nginx would keep the question until the answer follows.
      "x-accel-buffering": "no",
      ...readableBy(request),
    });
  }
  response.write(eventOf(question));
}

/** The headers that let the requesting web page read a response; with cookies it may come only if the server allows them. */
function readableBy({ headers: { origin, cookie } }: IncomingMessage): OutgoingHttpHeaders {
  if (origin === undefined) return {};
  const readable = { "access-control-allow-origin": origin, vary: "Origin" };
  return cookie === undefined
    ? readable
    : { ...readable, "access-control-allow-credentials": "true" };
}

/** A message as an event of a stream. */
export function eventOf(message: Message): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Answers a call whose time is over, of whose response the client may have a part. */
export function answerLate(
  exchange: Pick<Exchange, "request" | "response">,
  message: Message,
  isEventStream: boolean,
): void {
  const { response } = exchange;
  if (!response.headersSent) answerMessage(exchange, message);
  else if (isEventStream) response.end(eventOf(message));
  else response.destroy();
}

/** Answers a request that may not be made: the web page that made it must not read the answer. */
export function answerForbidden(response: ServerResponse, reason: string): void {
  writeFailure(response, 403, reason, null, {});
}

/** Answers a request that the proxy cannot serve. */
export function answerFailure(
  response: ServerResponse,
  status: number,
  reason: string,
  id: unknown = null,
): void {
  writeFailure(response, status, reason, id, readableBy(response.req));
}

function writeFailure(
  response: ServerResponse,
  status: number,
  reason: string,
  id: unknown,
  readable: OutgoingHttpHeaders,
): void {
  const error = { code: status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, message: reason };
  if (response.headersSent) {
    response.end(eventOf({ jsonrpc: "2.0", id, error }));
    return;
  }
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, error }));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    ...readable,
  });
  response.end(body);
}

/** Ends the response to a cancelled call, which gets no answer, or to the cancellation itself. */
export function answerNothing(response: ServerResponse, isRequest: boolean): void {
  if (!response.headersSent) {
    if (isRequest) {
      response.writeHead(200, { "content-type": EVENT_STREAM, "content-length": 0 });
    } else response.writeHead(202, { "content-length": 0 });
  }
  response.end();
}
