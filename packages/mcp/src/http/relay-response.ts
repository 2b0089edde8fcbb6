import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate } from "../gate/gate.ts";
import type { Link, Message } from "../gate/link.ts";
import { parseMessage } from "../wire/parse-message.ts";
import type { Piece } from "../wire/pieces.ts";
import { mayMatterFromServer } from "../wire/plain-bytes.ts";
import { endToEnd, replacing } from "./headers.ts";
import { readBody } from "./read-body.ts";
import { createEventSplitter, messageOf, withMessage } from "./sse-events.ts";
import { writeTogether } from "./write-together.ts";

/** Who may look at a response on its way, and at how much of it. */
export interface Watch {
  readonly gate: Gate;
  readonly link: Link;
  readonly maxMessageBytes: number;
}

/** Passes the server's response on as it comes; only a message that the gate waits for is looked at. */
export async function relayResponse(
  from: IncomingMessage,
  to: ServerResponse,
  watch: Watch | undefined,
): Promise<void> {
  const type = from.headers["content-type"] ?? "";
  const isReadable = from.headers["content-encoding"] === undefined;
  if (watch && isReadable && /^application\/json/i.test(type) && watch.gate.awaits(watch.link)) {
    await relayMessage(from, to, watch);
    return;
  }
  writeHead(from, to);
  const hold = writeTogether(to);
  if (watch && isReadable && /^text\/event-stream/i.test(type)) {
    await relayEvents(from, to, watch, hold);
    return;
  }
  await relayBytes(from, to, hold);
}

async function relayMessage(
  from: IncomingMessage,
  to: ServerResponse,
  { gate, link, maxMessageBytes }: Watch,
): Promise<void> {
  const { bytes, whole } = await readBody(from, maxMessageBytes);
  const message = whole ? parseMessage(bytes) : undefined;
  const instead = message && (await gate.fromServer(message, link));
  const body = instead ? Buffer.from(JSON.stringify(instead)) : bytes;
  writeHead(from, to, instead && body.length);
  if (whole) {
    to.end(body);
    return;
  }
  const hold = writeTogether(to);
  hold();
  to.write(body);
  await relayBytes(from, to, hold);
}

/** Resolves when all is written or the client is gone; rejects when the server breaks off. */
async function relayBytes(
  from: IncomingMessage,
  to: ServerResponse,
  hold: () => void,
): Promise<void> {
  from.on("data", hold);
  await new Promise<void>((resolve, reject) => {
    from.once("error", reject);
    to.once("close", resolve);
    from.pipe(to);
  });
}

async function relayEvents(
  from: IncomingMessage,
  to: ServerResponse,
  watch: Watch,
  hold: () => void,
): Promise<void> {
  const splitter = createEventSplitter(watch.maxMessageBytes);
  const pass = async (pieces: readonly Piece[]): Promise<void> => {
    for (const piece of pieces) {
      // In their order, however long one takes.
      const instead = eventInstead(piece, watch);
      const bytes = instead instanceof Promise ? await instead : instead;
      hold();
      if (!to.write(bytes)) await Promise.race([once(to, "drain"), once(to, "close")]);
    }
  };
  for await (const chunk of from) await pass(splitter.push(chunk as Buffer));
  await pass(splitter.end());
  to.end();
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

function writeHead(from: IncomingMessage, to: ServerResponse, length?: number): void {
  const headers = endToEnd(from.rawHeaders);
  const own = length === undefined ? [] : [["Content-Length", String(length)] as const];
  to.writeHead(from.statusCode ?? 502, from.statusMessage, replacing(headers, own).flat());
}
