import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate, Link } from "../gate/index.ts";
import {
  type Message,
  type Piece,
  createEventSplitter,
  mayMatterFromServer,
  messageOf,
  parseMessage,
  withMessage,
} from "../wire/index.ts";
import { firstArrival, readBody, takeArrived } from "./read-body.ts";
import { type Header, endToEnd, replacing, valueOf } from "./headers.ts";

/** Who may look at a response on its way, and at how much of it. */
export interface Watch {
  readonly gate: Gate;
  readonly link: Link;
  readonly maxMessageBytes: number;
}

/** A response on its way to the client. */
interface Relay {
  readonly from: IncomingMessage;
  readonly to: ServerResponse;
  /** What the client gets of its headers. */
  readonly headers: readonly Header[];
}

/** Passes the server's response on as it comes; only a message that the gate waits for is looked at. */
export async function relayResponse(
  from: IncomingMessage,
  to: ServerResponse,
  watch: Watch | undefined,
): Promise<void> {
  const headers = endToEnd(from.rawHeaders);
  const relay = { from, to, headers };
  const type = valueOf(headers, "content-type") ?? "";
  const isReadable = watch !== undefined && valueOf(headers, "content-encoding") === undefined;
  if (isReadable && /^application\/json/i.test(type) && watch.gate.awaits(watch.link)) {
    await relayMessage(relay, watch);
    return;
  }
  await firstArrival(from);
  const eventWatch = isReadable && /^text\/event-stream/i.test(type) ? watch : undefined;
  await (from.complete ? relayWhole(relay, eventWatch) : relayStream(relay, eventWatch));
}

async function relayMessage(relay: Relay, { gate, link, maxMessageBytes }: Watch): Promise<void> {
  const { bytes, whole } = await readBody(relay.from, maxMessageBytes);
  const message = whole ? parseMessage(bytes) : undefined;
  const instead = message && (await gate.fromServer(message, link));
  if (whole) {
    endWith(instead ? Buffer.from(JSON.stringify(instead)) : bytes, relay);
    return;
  }
  const hold = beginStream(relay);
  hold();
  relay.to.write(bytes);
  await relayBytes(relay, hold);
}

/** What arrived together leaves together. */
async function relayWhole(relay: Relay, watch: Watch | undefined): Promise<void> {
  const bytes = takeArrived(relay.from);
  const isSeen = watch && (watch.gate.awaits(watch.link) || mayMatterFromServer(bytes));
  if (!isSeen) {
    endWith(bytes, relay);
    return;
  }
  const splitter = createEventSplitter(watch.maxMessageBytes);
  endWith(await eventsInstead([...splitter.push(bytes), ...splitter.end()], watch), relay);
}

async function relayStream(relay: Relay, watch: Watch | undefined): Promise<void> {
  const { from, to } = relay;
  if (from.destroyed) throw new Error("The answer broke off");
  const hold = beginStream(relay);
  if (from.readableLength === 0) to.flushHeaders();
  await (watch ? relayEvents(relay, watch, hold) : relayBytes(relay, hold));
}

function beginStream({ from, to, headers }: Relay): () => void {
  to.writeHead(from.statusCode ?? 502, from.statusMessage, headers.flat());
  return writeTogether(to);
}

/** Resolves when all is written or the client is gone; rejects when the server breaks off. */
async function relayBytes({ from, to }: Relay, hold: () => void): Promise<void> {
  from.on("data", hold);
  await new Promise<void>((resolve, reject) => {
    from.once("error", reject);
    to.once("close", resolve);
    from.pipe(to);
  });
}

async function relayEvents({ from, to }: Relay, watch: Watch, hold: () => void): Promise<void> {
  const splitter = createEventSplitter(watch.maxMessageBytes);
  for await (const chunk of from) {
    const bytes = await eventsInstead(splitter.push(chunk as Buffer), watch);
    if (bytes.length === 0) continue;
    hold();
    if (!to.write(bytes)) await drained(to);
  }
  to.end(await eventsInstead(splitter.end(), watch));
}

/** Resolves also when the client is gone, and leaves no listener behind. */
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

/** In their order, however long one takes. */
async function eventsInstead(pieces: readonly Piece[], watch: Watch): Promise<Buffer> {
  const events: Buffer[] = [];
  for (const piece of pieces) {
    const instead = eventInstead(piece, watch);
    events.push(instead instanceof Promise ? await instead : instead);
  }
  return events.length === 1 && events[0] ? events[0] : Buffer.concat(events);
}

function eventInstead(
  { bytes, whole, ends }: Piece,
  { gate, link }: Watch,
): Buffer | Promise<Buffer> {
  const mayMatter = whole && ends && (gate.awaits(link) || mayMatterFromServer(bytes));
  const message = mayMatter ? messageOf(bytes) : undefined;
  const instead = message && gate.fromServer(message, link);
  const put = (other: Message | undefined): Buffer => (other ? withMessage(bytes, other) : bytes);
  return instead instanceof Promise ? instead.then(put) : put(instead);
}

/** Its length is told where it has a body; an answer to HEAD tells of one that it does not have. */
function endWith(body: Buffer, { from, to, headers }: Relay): void {
  const length: Header = ["Content-Length", String(body.length)];
  const own = body.length === 0 ? headers : replacing(headers, [length]);
  to.writeHead(from.statusCode ?? 502, from.statusMessage, own.flat());
  to.end(body);
}

/**
 * Makes a function to call before each write of a response: writes of one turn of the event loop, with the head before
 * the first, leave as one packet.
 *
 * @remarks It holds the connection, since a chunked response that is itself corked writes its end before its rest.
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
      // The end of a response lets go by itself, and then the connection may belong to the next one.
      if (!to.writableEnded) socket.uncork();
    });
  };
}
