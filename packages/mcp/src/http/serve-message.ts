import { pipeline, Transform } from "node:stream";
import type { Gate, Link, Ruling } from "../gate/index.ts";
import { isHandled, isRecord, mayAsk, type Message, metaOf } from "../wire/index.ts";
import { carriesAnswer } from "./drain.ts";
import {
  answerMessage,
  answerNothing,
  answerWithQuestion,
  type Exchange,
  type ProxyServices,
  readsEvents,
} from "./exchange.ts";
import { forward, type Forwarding } from "./forward.ts";
import { type Header, headerValue } from "./headers.ts";
import type { RequestingClient } from "./identity.ts";
import type { Links, SendFirst } from "./links.ts";
import { packetParsed } from "./read-body.ts";
import { readRequest, type Received } from "./read-request.ts";
import { SESSION } from "./separating-headers.ts";

const FORWARD: Ruling = { kind: "forward" };
const DROP: Ruling = { kind: "drop" };

/** Serves what a client sends to the endpoint. */
export async function serveMessage(exchange: Exchange, services: ProxyServices): Promise<void> {
  await packetParsed;
  return serveArrived(exchange, services);
}

function serveArrived(exchange: Exchange, services: ProxyServices): Served {
  const received = readRequest(exchange.request, exchange.headers, services);
  const serve = (body: Received): Served =>
    endingWith(body.share?.close, () => serveReceived(exchange, body, services));
  return received instanceof Promise ? received.then(serve) : serve(received);
}

/** A promise only where something is waited for. */
type Served = undefined | Promise<void>;

/** Runs a step and calls `end`, if there is one, when it is over, whatever it came to. */
export function endingWith(end: (() => void) | undefined, step: () => Served): Served {
  if (end === undefined) return step();
  let served: Served;
  try {
    served = step();
  } catch (thrown) {
    end();
    throw thrown;
  }
  if (served instanceof Promise) return served.finally(end);
  end();
  return undefined;
}

/** Awaits nothing: it would hold the body, which may be large, until the response has arrived. */
function serveReceived(exchange: Exchange, received: Received, services: ProxyServices): Served {
  const read =
    received.headers === exchange.headers ? exchange : { ...exchange, headers: received.headers };
  switch (received.kind) {
    case "message":
      return serveCall(read, received, services);
    case "other":
      return forward(read, { body: received.bytes, share: received.share }, services);
    case "large":
      services.gate.passUnread({ from: "client" });
      return forward(read, restOf(received, exchange), services);
    case "unvalidated": {
      const ruling = services.gate.passOrRefuse(received.problem);
      if (ruling.kind !== "answer") return forward(read, restOf(received, exchange), services);
      answerMessage(read, ruling.message, received.status);
      return undefined;
    }
  }
}

/** What is forwarded of a body that was not read to its end, or was. */
export function restOf(
  received: Received,
  { request }: Pick<Exchange, "request">,
): Pick<Forwarding, "head" | "body" | "share"> {
  const { bytes, isWhole, share } = received;
  if (isWhole) return { body: bytes, share };
  if (received.kind !== "large") return { head: bytes, body: request, share };
  const { outline } = received;
  const followed = new Transform({
    transform(chunk: Buffer, _, done) {
      outline.read(chunk);
      // Cut off, what the server has of it is not a message.
      done(outline.mayBeCall() ? new BecameCall() : null, chunk);
    },
  });
  pipeline(request, followed, () => undefined);
  return { head: bytes, body: followed, share };
}

/** A long message that was not a call by its beginning. */
class BecameCall extends Error {}

function serveCall(
  exchange: Exchange,
  received: Extract<Received, { readonly kind: "message" }>,
  services: ProxyServices,
): Served {
  const { target, headers } = exchange;
  const { links, keysOf } = services;
  const { message } = received;
  const keys = keysOf(clientOf(exchange), message);
  if (links.takeAnswer(keys, message)) {
    answerNothing(exchange.response, false);
    return undefined;
  }
  const sendFirst = message["method"] === "tools/call" ? questionsOn(exchange) : undefined;
  const link = links.of(keys, message, { path: target.path, headers }, sendFirst);
  const decide = (): Served => decideOn({ exchange, link, received }, services);
  // The link of a session goes on.
  return endingWith(keys.session === undefined ? doneWith(link, links) : undefined, decide);
}

/** How a client is asked about its call, if it reads more than one message in answer. */
function questionsOn(exchange: Exchange): SendFirst | undefined {
  return readsEvents(exchange) ? (question) => answerWithQuestion(exchange, question) : undefined;
}

/** Notes that the client of a new session can ask the person there. */
function sessionsOf(
  exchange: Exchange,
  initialize: Message,
  { links, keysOf }: ProxyServices,
): NonNullable<Forwarding["onResponse"]> {
  return ({ headers: { [SESSION]: session } }) => {
    if (typeof session !== "string") return;
    const headers = [...exchange.headers, [SESSION, session]] as const;
    links.began(keysOf(clientOf({ ...exchange, headers }), initialize), initialize);
  };
}

/** Apart from the other closures: what they share would hold the body until the response has arrived. */
function doneWith(link: Link, { done }: Links): () => void {
  return () => {
    done(link);
  };
}

/** A message to forward or to answer. */
interface Call {
  readonly exchange: Exchange;
  readonly link: Link;
  readonly received: Extract<Received, { readonly kind: "message" }>;
}

function decideOn(call: Call, services: ProxyServices): Served {
  const { exchange, link, received } = call;
  const { message } = received;
  const isForGate = isHandled(message["method"]) || !("method" in message);
  if (!isForGate) return act(FORWARD, call, services);
  const traceparent = headerValue(exchange.headers, "traceparent");
  const ruling = services.gate.fromClient(message, link, traceparent);
  if (!(ruling instanceof Promise)) return act(ruling, call, services);
  return lateRuling(exchange, { message, link, ruling }, services.gate).then((late) =>
    act(late, call, services),
  );
}

/** The requests that run nothing; a session that nobody has heard of ends by itself. */
const REPEATABLE: ReadonlySet<unknown> = new Set([
  "initialize",
  "ping",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);

function act(
  ruling: Ruling,
  { exchange, link, received: { bytes, message, share } }: Call,
  services: ProxyServices,
): Served {
  switch (ruling.kind) {
    case "forward": {
      const { limited } = ruling;
      const body = bodyOf(ruling, bytes);
      const id = message["id"];
      const isCall = message["method"] === "tools/call" && id !== undefined;
      const isFirst = message["method"] === "initialize" && mayAsk(message);
      const onResponse = isFirst ? sessionsOf(exchange, message, services) : undefined;
      const mayRepeat = REPEATABLE.has(message["method"]);
      const forwarding = { body, link, id, isCall, mayRepeat, limited, share, onResponse };
      return forward(exchange, forwarding, services);
    }
    case "answer":
      answerRuling(exchange, message, ruling.message);
      return undefined;
    case "drop":
      answerNothing(exchange.response, "id" in message);
      return undefined;
  }
}

/** Who sent a request, by its own headers. */
function clientOf({ request, headers, target }: Exchange): RequestingClient {
  return { headers, query: target.query, address: request.socket.remoteAddress ?? "" };
}

/** GET opens a session's stream, which announces changes of the tools; DELETE ends the session. */
export async function serveSession(exchange: Exchange, services: ProxyServices): Promise<void> {
  const { request, response, target, headers } = exchange;
  const { links, keysOf } = services;
  const keys = keysOf(clientOf(exchange), {});
  const link = links.of(keys, {}, { path: target.path, headers });
  try {
    await forward(
      exchange,
      { body: request, link, resumed: resumedBy(exchange, link, services) },
      services,
    );
    if (request.method === "DELETE" && response.statusCode < 300) links.end(keys);
  } finally {
    if (keys.session === undefined) links.done(link);
  }
}

/** The call whose stream a request resumes. */
function resumedBy(
  { request: { method }, response, headers }: Exchange,
  link: Link,
  { openCalls }: ProxyServices,
): Forwarding["resumed"] {
  const lastEventId = method === "GET" ? headerValue(headers, LAST_EVENT) : undefined;
  const call = lastEventId === undefined ? undefined : openCalls.resumed(link, lastEventId);
  if (call) carriesAnswer(response);
  return call;
}

const LAST_EVENT = "last-event-id";

/** Answers a message; one that its headers contradict is refused as servers do. */
function answerRuling(exchange: Exchange, message: Message, answer: Message): void {
  if (headersAgree(exchange.headers, message)) {
    answerMessage(exchange, answer, answer["id"] === null ? 400 : 200);
    return;
  }
  const error = { code: HEADER_MISMATCH, message: "The headers contradict the message." };
  answerMessage(exchange, { jsonrpc: "2.0", id: answer["id"], error }, 400);
}

/** The original bytes, unless the gate replaced the message. */
function bodyOf({ message }: { readonly message?: Message }, bytes: Buffer): Buffer {
  return message ? Buffer.from(JSON.stringify(message)) : bytes;
}

/** A message that the gate is deciding on. */
interface Undecided {
  readonly message: Message;
  readonly link: Link;
  readonly ruling: Promise<Ruling>;
}

/** The gate's ruling once it is known; a client that disconnects meanwhile has cancelled its call. */
async function lateRuling(
  { response, contain }: Exchange,
  { message, link, ruling: undecided }: Undecided,
  gate: Gate,
): Promise<Ruling> {
  const cancel = (): void => {
    const params = { requestId: message["id"] };
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    contain(() => gate.fromClient(cancelled, link));
  };
  response.once("close", cancel);
  const ruling = await undecided;
  response.off("close", cancel);
  if (!response.destroyed) return ruling;
  if (ruling.kind === "forward") ruling.limited?.end();
  return DROP;
}

const META = "io.modelcontextprotocol/";
const FIRST_WITHOUT_SESSIONS = "2026-07-28";
const HEADER_MISMATCH = -32_020;
const WRAPPED = /^=\?base64\?(.*)\?=$/;

/**
 * Whether a request's headers agree with the message, which the stateless protocol requires.
 *
 * @remarks Only the header says which protocol it is: servers with sessions ignore `_meta`.
 */
export function headersAgree(headers: readonly Header[], message: Message): boolean {
  const version = headerValue(headers, "mcp-protocol-version") ?? "";
  if (version < FIRST_WITHOUT_SESSIONS) return true;
  const params = isRecord(message["params"]) ? message["params"] : {};
  const meta = metaOf(message) ?? {};
  return (
    version === meta[`${META}protocolVersion`] &&
    isRecord(meta[`${META}clientCapabilities`]) &&
    headerValue(headers, "mcp-method") === message["method"] &&
    decoded(headerValue(headers, "mcp-name")) === params["name"] &&
    parametersAgree(headers, params["arguments"])
  );
}

/** The schema says which argument a header repeats; without it, the header must at least repeat one of them. */
function parametersAgree(headers: readonly Header[], args: unknown): boolean {
  const repeated = headers.filter(([name]) => name.toLowerCase().startsWith("mcp-param-"));
  if (repeated.length === 0) return true;
  const values = new Set(scalarsOf(args));
  return repeated.every(([, value]) => values.has(decoded(value) ?? ""));
}

function scalarsOf(root: unknown): readonly string[] {
  const scalars: string[] = [];
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isRecord(value)) for (const member of Object.values(value)) pending.push(member);
    else if (["string", "number", "boolean"].includes(typeof value)) scalars.push(String(value));
  }
  return scalars;
}

/** Decodes a header value: characters that a header cannot hold are sent as base64. */
function decoded(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const wrapped = WRAPPED.exec(value)?.[1];
  return wrapped === undefined ? value : Buffer.from(wrapped, "base64").toString("utf8");
}
