import type { Readable, Writable } from "node:stream";
import type { Link, Ruling } from "../gate/index.ts";
import {
  createLineSplitter,
  createOwnRequests,
  mayMatterFromClient,
  mayMatterFromServer,
  type Message,
  type OwnRequests,
  parseMessage,
  type Piece,
} from "../wire/index.ts";
import { FORWARD, type RelayGate } from "./deferred-gate.ts";
import { createLineWriter, type LineWriter, toLine, whenEnded } from "./lines.ts";

/** The four streams between a client and a server that exchange lines. */
export interface LineStreams {
  readonly fromClient: Readable;
  readonly toServer: Writable;
  readonly fromServer: Readable;
  readonly toClient: Writable;
}

/** Options of the relay. */
export interface RelayOptions {
  readonly gate: RelayGate;
  /** The conversation whose attempts are counted together. */
  readonly attemptKey: string;
  /** Longer messages are forwarded without being parsed. */
  readonly maxMessageBytes: number;
  /** Called when the client's stream has ended and everything in it is forwarded. */
  readonly onClientEnd: () => void;
}

/** What both directions share. */
interface Relay extends RelayOptions {
  readonly link: Link;
  readonly own: OwnRequests;
  readonly toServer: LineWriter;
  readonly toClient: LineWriter;
}

/** Above this many bytes of held calls, or of answers that the client does not read, the relay stops reading. */
const MAX_WAITING = 16 * 1024 * 1024;

/** Relays lines byte for byte in both directions, unless the gate answers; resolves when the server's stream has ended. */
export async function relayLines(streams: LineStreams, options: RelayOptions): Promise<void> {
  const { gate, attemptKey } = options;
  const toServer = createLineWriter(streams.toServer);
  const toClient = createLineWriter(streams.toClient);
  const own = createOwnRequests((request) => {
    toServer.insert(toLine(request));
  });
  const link: Link = { attemptKey, listKey: attemptKey, listTools: own.list };
  const relay = { ...options, link, own, toServer, toClient };
  relayClient(streams, relay);
  await relayServer(streams, relay);
  own.close();
  gate.closed(link);
}

/** Relays the client's lines. Ends the server's input when the client's has ended and no call is held. */
function relayClient(streams: LineStreams, relay: Relay): void {
  const { fromClient } = streams;
  const { toServer, toClient } = relay;
  const splitter = createLineSplitter(relay.maxMessageBytes);
  let heldBytes = 0;
  let heldCalls = 0;
  let ended = false;

  function adjustFlow(): void {
    if (ended && heldCalls === 0) {
      toServer.end();
      relay.onClientEnd();
    }
    const isFull = heldBytes > MAX_WAITING || toClient.backlog() > MAX_WAITING;
    if (isFull || toServer.congested()) fromClient.pause();
    else fromClient.resume();
  }
  function take(piece: Piece): void {
    const ruling = rulingOn(piece, relay);
    if (!(ruling instanceof Promise)) {
      apply(ruling, piece, toServer.relay, relay);
      return;
    }
    heldCalls += 1;
    heldBytes += piece.bytes.length;
    void ruling.then((late) => {
      apply(late, piece, ({ bytes }) => toServer.insert(bytes), relay);
      heldCalls -= 1;
      heldBytes -= piece.bytes.length;
      adjustFlow();
    });
  }

  fromClient.on("data", (chunk: Buffer) => {
    splitter.push(chunk).forEach(take);
    adjustFlow();
  });
  streams.toServer.on("drain", adjustFlow);
  streams.toClient.on("drain", adjustFlow);
  whenEnded(fromClient, () => {
    splitter.end().forEach(take);
    ended = true;
    adjustFlow();
  });
}

function rulingOn({ bytes, whole }: Piece, { gate, link }: Relay): Ruling | Promise<Ruling> {
  const message = whole && mayMatterFromClient(bytes) ? parseMessage(bytes) : undefined;
  return message === undefined ? FORWARD : gate.fromClient(message, link);
}

function apply(
  ruling: Ruling,
  piece: Piece,
  forward: LineWriter["relay"],
  { toClient }: Relay,
): void {
  if (ruling.kind === "forward") {
    forward(ruling.message ? { bytes: toLine(ruling.message), ends: true } : piece);
  }
  if (ruling.kind === "answer") toClient.insert(toLine(ruling.message));
}

/** Relays the server's lines; resolves when its stream has ended and every response is written. */
async function relayServer(streams: LineStreams, relay: Relay): Promise<void> {
  const { fromServer } = streams;
  const { gate, link, own, toClient } = relay;
  const splitter = createLineSplitter(relay.maxMessageBytes);
  const rewriting = new Set<Promise<void>>();

  function take(piece: Piece): void {
    const message = readIfNeeded(piece, relay);
    if (message === undefined) {
      toClient.relay(piece);
      return;
    }
    if (own.take(message)) return;
    const replacement = gate.fromServer(message, link);
    if (!(replacement instanceof Promise)) {
      if (replacement === undefined) toClient.relay(piece);
      else toClient.insert(toLine(replacement));
      return;
    }
    const done = replacement.then((late) => {
      toClient.insert(late === undefined ? piece.bytes : toLine(late));
      rewriting.delete(done);
    });
    rewriting.add(done);
  }

  fromServer.on("data", (chunk: Buffer) => {
    splitter.push(chunk).forEach(take);
    if (toClient.congested()) fromServer.pause();
  });
  // When the client is gone, the server's output is drained so that the server does not block.
  for (const event of ["drain", "error", "close"]) {
    streams.toClient.on(event, () => {
      fromServer.resume();
    });
  }
  await new Promise<void>((resolve) => {
    whenEnded(fromServer, resolve);
  });
  splitter.end().forEach(take);
  await Promise.all(rewriting);
}

/** Parses a line only if it may be a response that is awaited, or news of the tools. */
function readIfNeeded({ bytes, whole }: Piece, { gate, link, own }: Relay): Message | undefined {
  if (!whole) return undefined;
  const isAwaited = own.waiting() || gate.awaits(link);
  return isAwaited || mayMatterFromServer(bytes) ? parseMessage(bytes) : undefined;
}
