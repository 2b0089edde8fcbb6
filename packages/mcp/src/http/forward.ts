import type { ClientRequest, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Link } from "../gate/index.ts";
import { answerFailure, type Exchange, type ProxyServices } from "./exchange.ts";
import { type Header, framingOf, without } from "./headers.ts";
import { relayResponse } from "./relay-response.ts";
import { responseTo } from "./upstream.ts";

/** What is sent and who looks at the answer. */
export interface Forwarding {
  /** The whole body, or a stream of it. */
  readonly body: Buffer | Readable;
  /** What was read of a streamed body already. */
  readonly head?: Buffer;
  /** The link whose answers the gate may want to see. */
  readonly link?: Link;
  /** The id of the request that is sent, for the answer if the server cannot be reached. */
  readonly id?: unknown;
}

/** Sends a request on and its response back; ends it when the client is gone. */
export async function forward(
  exchange: Exchange,
  { body, head, link, id }: Forwarding,
  { upstream, gate, maxMessageBytes }: ProxyServices,
): Promise<void> {
  const { request, response, target } = exchange;
  const framing = framingOf(request, body);
  const headers = sentHeaders(exchange, framing, link !== undefined && gate.awaits(link));
  const method = request.method ?? "GET";
  const sending = upstream.start({ method, path: target.path, headers });
  response.once("close", () => {
    // Over HTTP this is how a call is cancelled.
    if (!response.writableFinished) sending.destroy();
  });
  if (framing === undefined) sending.end();
  else send(sending, body, head);
  let answer: IncomingMessage;
  try {
    answer = await responseTo(sending);
  } catch (thrown) {
    answerFailure(response, 502, `The MCP server could not be reached (${codeOf(thrown)}).`, id);
    return;
  }
  try {
    await relayResponse(answer, response, link && { gate, link, maxMessageBytes });
  } catch {
    // Half an answer must not look like a whole one.
    if (response.headersSent) response.destroy();
    else answerFailure(response, 502, "The MCP server broke its answer off.", id);
  }
}

function sentHeaders(
  { request, headers }: Exchange,
  framing: Header | undefined,
  isAwaited: boolean,
): readonly Header[] {
  // A compressed answer cannot be looked at.
  const isRead = isAwaited || request.method === "GET";
  const kept = without(
    headers,
    isRead ? ["accept-encoding", "content-length"] : ["content-length"],
  );
  return framing === undefined ? kept : [...kept, framing];
}

function send(sending: ClientRequest, body: Buffer | Readable, head: Buffer | undefined): void {
  if (Buffer.isBuffer(body)) {
    sending.end(body);
    return;
  }
  if (head !== undefined) sending.write(head);
  body.pipe(sending);
  // A body that breaks off must not look like a whole one.
  body.once("close", () => {
    if (!body.readableEnded) sending.destroy();
  });
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "no answer";
}
