import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createEventSplitter,
  lostByStatus,
  messageInEvent,
  parseMessage,
  type Piece,
  readRequestId,
} from "../wire/index.ts";
import { answerFailure, answerMessage } from "./exchange.ts";
import {
  createInspection,
  END_OF_EVENT,
  type Inspection,
  mayMatter,
  type Watch,
} from "./inspect-events.ts";
import { answerUnanswered, hasFailed, isAnswerTo } from "./lost-response.ts";
import { endInOneWrite } from "./one-write.ts";
import type { OpenCall } from "./open-calls.ts";
import { BodyCutOff, firstArrival, readBody, takeArrived } from "./read-body.ts";
import { isEventStream, type ResponseHead, withLength } from "./response-head.ts";

/** A response on its way to the client. */
export interface ResponseRelay {
  readonly from: IncomingMessage;
  readonly to: ServerResponse;
  readonly head: ResponseHead;
}

/** Relays the server's response as it arrives; only messages that the gate may need are parsed. */
export function relayResponse(
  relay: ResponseRelay,
  watch: Watch | undefined,
): undefined | Promise<void> {
  const { from, to, head } = relay;
  if (to.headersSent && watch) {
    return isEventStream(head)
      ? relayEvents(relay, watch, writeTogether(to))
      : relayAsEvent(relay, watch);
  }
  const isReadable = watch !== undefined && !head.isCoded;
  if (isReadable && isReadWhole(head, watch)) return relayMessage(relay, watch);
  if (watch?.call && head.isCoded && hasFailed(head)) {
    return answerUnreadable(relay, watch.call);
  }
  const eventWatch = isReadable && head.form === "events" ? watch : undefined;
  if (from.complete) return relayWhole(relay, eventWatch);
  return firstArrival(from).then(() =>
    from.complete ? relayWhole(relay, eventWatch) : relayStream(relay, eventWatch),
  );
}

/** Whether a response is read before it is relayed: the gate may replace it, or it may hold no answer. */
function isReadWhole(head: ResponseHead, { gate, link, call }: Watch): boolean {
  if (head.form === "events") return false;
  if (call !== undefined && hasFailed(head)) return true;
  return (head.form === "json" || call !== undefined) && gate.awaits(link);
}

/** A failure of a gateway that cannot be read: nothing says that the call did not run. */
async function answerUnreadable(relay: ResponseRelay, call: OpenCall): Promise<void> {
  const other = await call.lose(lostByStatus(relay.head.status));
  if (other === undefined) {
    await relayStream(relay, undefined);
    return;
  }
  relay.from.resume();
  if (other) answerMessage({ request: relay.to.req, response: relay.to }, other);
}

async function relayMessage(
  relay: ResponseRelay,
  { gate, link, id, call, maxMessageBytes, isOver }: Watch,
): Promise<void> {
  const { bytes, whole } = await readBody(relay.from, maxMessageBytes);
  const message = whole ? parseMessage(bytes) : undefined;
  const replacement =
    message && (await gate.fromServer(message, link, () => bytes.toString("utf8")));
  if (isOver()) return;
  if (whole) {
    const isUnanswered = call !== undefined && !isAnswerTo(message, id);
    if (isUnanswered && (await answerUnanswered(relay.to, call, relay.head))) return;
    endWith(replacement ? Buffer.from(JSON.stringify(replacement)) : bytes, relay);
    return;
  }
  gate.passUnread({ from: "server", answers: readRequestId(id) }, link);
  const hold = beginStream(relay);
  hold();
  relay.to.write(bytes);
  await relayBytes(relay, hold);
}

/** Relays a response on the stream that began with a question to the client. */
async function relayAsEvent({ from, to, head }: ResponseRelay, watch: Watch): Promise<void> {
  const { gate, link, id, call, maxMessageBytes, isOver } = watch;
  const { bytes, whole } = await readBody(from, maxMessageBytes);
  const message = whole ? parseMessage(bytes) : undefined;
  const replacement =
    message && (await gate.fromServer(message, link, () => bytes.toString("utf8")));
  if (isOver()) return;
  const isUnanswered = whole && call !== undefined && !isAnswerTo(message, id);
  if (isUnanswered && (await answerUnanswered(to, call, head))) return;
  if (message === undefined) gate.passUnread({ from: "server", answers: readRequestId(id) }, link);
  if (whole && message === undefined) {
    const reason = `The MCP server answered with status ${from.statusCode} and no message.`;
    answerFailure(to, 502, reason, id);
    return;
  }
  to.write("event: message\ndata: ");
  if (replacement) to.write(JSON.stringify(replacement));
  else to.write(onOneLine(bytes));
  for await (const chunk of from) if (!to.write(onOneLine(chunk as Buffer))) await drained(to);
  to.end("\n\n");
}

/** An event ends with its line. In JSON, the end of a line is a space. */
function onOneLine(json: Buffer): Buffer {
  return Buffer.from(json.toString("latin1").replaceAll(/[\r\n]/g, " "), "latin1");
}

/** Relays a response that has arrived completely, in one write. */
function relayWhole(relay: ResponseRelay, watch: Watch | undefined): undefined | Promise<void> {
  const bytes = takeArrived(relay.from);
  if (watch && (watch.gate.awaits(watch.link) || mayMatter(bytes)))
    return relayInspected(bytes, relay, watch);
  endWith(bytes, relay);
  return undefined;
}

async function relayInspected(bytes: Buffer, relay: ResponseRelay, watch: Watch): Promise<void> {
  const splitter = createEventSplitter(watch.maxMessageBytes);
  const inspection = createInspection(watch);
  const events = await inspection.inspect(splitter.push(bytes));
  const last = await lastEvents(splitter.end(), inspection, watch);
  if (!watch.isOver()) endWith(Buffer.concat([events, last]), relay);
}

async function relayStream(relay: ResponseRelay, watch: Watch | undefined): Promise<void> {
  const { from, to } = relay;
  if (from.destroyed) throw new BodyCutOff();
  const hold = beginStream(relay);
  if (from.readableLength === 0) to.flushHeaders();
  await (watch ? relayEvents(relay, watch, hold) : relayBytes(relay, hold));
}

function beginStream(relay: ResponseRelay): () => void {
  writeHead(relay, relay.head.list);
  return writeTogether(relay.to);
}

/** Resolves when everything is written or the client has disconnected; rejects if the server breaks off. */
async function relayBytes({ from, to }: ResponseRelay, hold: () => void): Promise<void> {
  from.on("data", hold);
  await new Promise<void>((resolve, reject) => {
    from.once("error", reject);
    to.once("close", resolve);
    from.pipe(to);
  });
}

/** Readers of events skip it. */
const COMMENT = ": keepalive\n\n";

/** Whether more may be written than the server has: not what nobody reads, and not beyond an announced length. */
function mayComment({ from, to }: ResponseRelay): boolean {
  return !to.writableEnded && !to.writableNeedDrain && from.headers["content-length"] === undefined;
}

async function relayEvents(relay: ResponseRelay, watch: Watch, hold: () => void): Promise<void> {
  const { from, to } = relay;
  const splitter = createEventSplitter(watch.maxMessageBytes);
  const inspection = createInspection(watch);
  // While a part is inspected, the one before it may have begun an event.
  let isBetween = true;
  const silence = setTimeout(() => {
    if (isBetween && mayComment(relay)) to.write(COMMENT);
    silence.refresh();
  }, watch.silenceMs);
  try {
    for await (const chunk of from) {
      isBetween = false;
      const bytes = await inspection.inspect(splitter.push(chunk as Buffer));
      isBetween = !inspection.isOpen();
      if (bytes.length === 0) continue;
      silence.refresh();
      hold();
      if (!to.write(bytes)) await drained(to);
    }
  } catch (thrown) {
    const lost = await inspection.lost("connection");
    if (lost === undefined) throw thrown;
    if (!watch.isOver()) to.end(lost);
    return;
  } finally {
    clearTimeout(silence);
  }
  const last = await lastEvents(splitter.end(), inspection, watch);
  if (!watch.isOver()) to.end(last);
}

/** What a stream ends with: what is left of it, or the contract's answer if the server's has not come. */
async function lastEvents(
  rest: readonly Piece[],
  inspection: Inspection,
  { gate, link, id }: Watch,
): Promise<Buffer> {
  // Some servers leave out the empty line after the last event, and then clients drop it.
  const complete = rest.map((piece) =>
    gate.awaits(link) && isAnswerTo(messageInEvent(piece.bytes), id)
      ? { bytes: Buffer.concat([piece.bytes, END_OF_EVENT]), whole: piece.whole, ends: true }
      : piece,
  );
  const left = await inspection.inspect(complete);
  return (await inspection.lost("stream")) ?? left;
}

/** Resolves on drain and on disconnect, and leaves no listener behind. */
async function drained(to: ServerResponse): Promise<void> {
  if (to.destroyed) return undefined;
  return new Promise((resolve) => {
    function done(): void {
      to.off("drain", done).off("close", done);
      resolve();
    }
    to.on("drain", done).on("close", done);
  });
}

/** Sets the length only if there is a body: a response to HEAD announces a length without a body. */
function endWith(body: Buffer, relay: ResponseRelay): void {
  const { list } = relay.head;
  writeHead(relay, body.length === 0 ? list : withLength(list, body.length));
  endInOneWrite(relay.to, body);
}

/** Relays the code without the server's text for it, which may have bytes that Node reads and does not write. */
function writeHead({ to, head }: ResponseRelay, list: readonly string[]): void {
  to.writeHead(head.status, list as string[]);
}

/**
 * Creates a function to call before each write: writes within one turn of the event loop, with the head before the
 * first of them, leave as one packet.
 *
 * @remarks It corks the socket, because a chunked response that is corked itself writes its end before the rest.
 */
function writeTogether(to: ServerResponse): () => void {
  let isHeld = false;
  return () => {
    const { socket } = to;
    if (isHeld || !socket || to.writableEnded) return;
    isHeld = true;
    socket.cork();
    setImmediate(() => {
      isHeld = false;
      // The end of a response uncorks the socket, which may then belong to the next response.
      if (!to.writableEnded) socket.uncork();
    });
  };
}
