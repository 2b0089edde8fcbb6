import type { Readable, Writable } from "node:stream";
import type { Link, Ruling } from "../gate/index.ts";
import {
  type Message,
  type OwnRequests,
  type Piece,
  createLineSplitter,
  createOwnRequests,
  mayMatterFromClient,
  mayMatterFromServer,
  parseMessage,
} from "../wire/index.ts";
import type { RelayGate } from "./deferred-gate.ts";
import { type MessageWriter, createMessageWriter, toLine, whenEnded } from "./lines.ts";

/** The four streams between a client and a server that speak lines. */
export interface LineStreams {
  readonly fromClient: Readable;
  readonly toServer: Writable;
  readonly fromServer: Readable;
  readonly toClient: Writable;
}

/** What relaying needs beside the streams. */
export interface RelayOptions {
  readonly gate: RelayGate;
  /** Whose attempts the calls are. */
  readonly attemptKey: string;
  /** Longer messages are passed on unread. */
  readonly maxMessageBytes: number;
  /** Called when the client has said its last and all of it has gone on. */
  readonly onClientEnd: () => void;
}

/** Relays lines both ways, byte by byte, except where the gate answers; resolves when the server's stream has ended. */
export async function relayLines(streams: LineStreams, options: RelayOptions): Promise<void> {
  const { gate, attemptKey } = options;
  const toServer = createMessageWriter(streams.toServer);
  const toClient = createMessageWriter(streams.toClient);
  const own = createOwnRequests((request) => {
    toServer.insert(toLine(request));
  });
  const link: Link = { attemptKey, listKey: attemptKey, listTools: own.list };
  const way = { ...options, link, toServer, toClient };
  clientToServer(streams, way);
  await serverToClient(streams, { ...way, own });
  own.close();
  gate.closed(link);
}

/** What one direction of the relay needs. */
interface ClientWay {
  readonly gate: RelayGate;
  readonly link: Link;
  readonly toServer: MessageWriter;
  readonly toClient: MessageWriter;
  readonly maxMessageBytes: number;
  readonly onClientEnd: () => void;
}

/** More than this of held calls, or of answers that the client does not read, stops the reading. */
const MAX_WAITING = 16 * 1024 * 1024;

/** Relays the client's lines; ends the server's input once the client's has ended and no call is held. */
function clientToServer(streams: LineStreams, way: ClientWay): void {
  const { fromClient } = streams;
  const { toServer, toClient } = way;
  const splitter = createLineSplitter(way.maxMessageBytes);
  let heldBytes = 0;
  let heldCalls = 0;
  let ended = false;

  function steer(): void {
    if (ended && heldCalls === 0) {
      toServer.end();
      way.onClientEnd();
    }
    const isFull = heldBytes > MAX_WAITING || toClient.backlog() > MAX_WAITING;
    if (isFull || toServer.congested()) fromClient.pause();
    else fromClient.resume();
  }
  function take(piece: Piece): void {
    const ruling = rule(piece, way);
    if (!(ruling instanceof Promise)) {
      obey(ruling, piece, toServer.relay, way);
      return;
    }
    heldCalls += 1;
    heldBytes += piece.bytes.length;
    void ruling.then((late) => {
      obey(late, piece, ({ bytes }) => toServer.insert(bytes), way);
      heldCalls -= 1;
      heldBytes -= piece.bytes.length;
      steer();
    });
  }

  fromClient.on("data", (chunk: Buffer) => {
    splitter.push(chunk).forEach(take);
    steer();
  });
  streams.toServer.on("drain", steer);
  streams.toClient.on("drain", steer);
  whenEnded(fromClient, () => {
    splitter.end().forEach(take);
    ended = true;
    steer();
  });
}

function obey(
  ruling: Ruling,
  piece: Piece,
  forward: MessageWriter["relay"],
  { toClient }: ClientWay,
): void {
  if (ruling.kind === "forward") {
    forward(ruling.message ? { bytes: toLine(ruling.message), ends: true } : piece);
  }
  if (ruling.kind === "answer") toClient.insert(toLine(ruling.message));
}

const FORWARD: Ruling = { kind: "forward" };

/** The gate's ruling; what is none of its business goes on. */
function rule({ bytes, whole }: Piece, { gate, link }: ClientWay): Ruling | Promise<Ruling> {
  const message = whole && mayMatterFromClient(bytes) ? parseMessage(bytes) : undefined;
  return message === undefined ? FORWARD : gate.fromClient(message, link);
}

interface ServerWay extends Omit<ClientWay, "toServer" | "onClientEnd"> {
  readonly own: OwnRequests;
}

/** Relays the server's lines and resolves once its stream has ended and every answer is written. */
async function serverToClient(streams: LineStreams, way: ServerWay): Promise<void> {
  const { fromServer } = streams;
  const { toClient } = way;
  const splitter = createLineSplitter(way.maxMessageBytes);
  const rewriting = new Set<Promise<void>>();

  function take(piece: Piece): void {
    const news = read(piece, way);
    if (news === undefined) {
      toClient.relay(piece);
      return;
    }
    if (way.own.take(news)) return;
    const instead = way.gate.fromServer(news, way.link);
    if (!(instead instanceof Promise)) {
      if (instead === undefined) toClient.relay(piece);
      else toClient.insert(toLine(instead));
      return;
    }
    const done = instead.then((late) => {
      toClient.insert(late === undefined ? piece.bytes : toLine(late));
      rewriting.delete(done);
    });
    rewriting.add(done);
  }

  fromServer.on("data", (chunk: Buffer) => {
    splitter.push(chunk).forEach(take);
    if (toClient.congested()) fromServer.pause();
  });
  // A client that is gone reads nothing, and the server must not wait for it.
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

/** The message of a line that may matter: an answer that is awaited, or news of the tools. */
function read({ bytes, whole }: Piece, { gate, link, own }: ServerWay): Message | undefined {
  if (!whole) return undefined;
  const isAwaited = own.waiting() || gate.awaits(link);
  return isAwaited || mayMatterFromServer(bytes) ? parseMessage(bytes) : undefined;
}
