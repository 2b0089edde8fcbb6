import type { Readable, Writable } from "node:stream";
import type { Link, Ruling } from "../gate/index.ts";
import {
  createElicitation,
  createLineSplitter,
  createOwnRequests,
  mayMatterFromClient,
  mayMatterFromServer,
  type Message,
  type Elicitation,
  type OwnRequests,
  type LostCall,
  lostAnswer,
  parseMessage,
  type Problem,
  readMessage,
  type Piece,
  INTERNAL_ERROR,
} from "../wire/index.ts";
import { FORWARD, type RelayGate } from "./deferred-gate.ts";
import { createDrain, type Drain } from "./drain.ts";
import { createLineWriter, type LineWriter, toLine, whenEnded } from "./lines.ts";
import { longLinesOfClient, longLinesOfServer } from "./long-lines.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";

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
  /** Longer messages are not parsed: those that may be calls are refused, others relayed. */
  readonly maxMessageBytes: number;
  /**
   * The same for messages of the server.
   *
   * @default maxMessageBytes
   */
  readonly maxResultBytes?: number;
  /** Aborted when the relay is to stop: further requests are refused, and the open ones are still answered. */
  readonly stopping: AbortSignal;
  /** How long open requests may take once the client's stream has ended or the relay is to stop. */
  readonly graceMs: number;
  /** Called when the client's stream has ended or the relay is to stop. */
  readonly onStopping: () => void;
  /** Called when the server's input is closed: nothing is open any more, or the time is up. */
  readonly onDrained: () => void;
}

/** What both directions share. */
interface Relay extends RelayOptions {
  readonly link: Link;
  readonly own: OwnRequests;
  readonly elicitation: Elicitation;
  readonly open: OpenRequests;
  /** The client's messages that the gate is still deciding on. */
  readonly held: { calls: number; bytes: number };
  /** The server's messages that the gate is still deciding on. */
  readonly rewriting: Set<Promise<void>>;
  readonly drain: Drain;
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
  const elicitation = createElicitation((question) => toClient.insert(toLine(question)));
  const link: Link = {
    attemptKey,
    elicit: elicitation.ask,
    transport: "pipe",
    listKey: attemptKey,
    listTools: own.list,
    callTool: own.call,
    notify: (message) => {
      toServer.insert(toLine(message));
    },
  };
  /** Whether calls took longer than the grace. */
  let isGivenUp = false;
  const drain = createDrain({
    // While a response is decided on, a stage may still call tools.
    isIdle: () => held.calls === 0 && open.count() === 0 && rewriting.size === 0,
    graceMs: options.graceMs,
    onBegin: options.onStopping,
    end() {
      isGivenUp = open.count() > 0;
      toServer.end();
      options.onDrained();
    },
  });
  const open = createOpenRequests(drain.check);
  const held = { calls: 0, bytes: 0 };
  const rewriting = new Set<Promise<void>>();
  const requests = { own, elicitation, open };
  const relay = { ...options, ...requests, link, held, rewriting, drain, toServer, toClient };
  relayClient(streams, relay);
  await relayServer(streams, relay);
  // From here on, no answer can come.
  await answerLost(isGivenUp ? "stopped" : "ended", relay);
  drain.cancel();
  gate.closed(link);
}

/** Answers the calls that the server has left open. */
async function answerLost(
  how: "stopped" | "ended",
  { gate, link, open, toClient }: Relay,
): Promise<void> {
  for (const { id, isSent } of open.calls()) {
    const lost: LostCall = isSent
      ? { kind: "unanswered", how }
      : { kind: "not-sent", code: "it has ended" };
    const other = await gate.lost({ id, lost }, link);
    if (other !== null) toClient.insert(toLine(other ?? lostAnswer(id, lost)));
  }
}

/** Relays the client's lines, until there are no more of them or the relay is to stop. */
function relayClient(streams: LineStreams, relay: Relay): void {
  const { fromClient } = streams;
  const { toServer, toClient, held, drain, stopping } = relay;
  const splitter = createLineSplitter(relay.maxMessageBytes);
  const long = longLinesOfClient({ ...relay, onHeld: hold });

  function hold(calls: number, bytes: number): void {
    held.calls += calls;
    held.bytes += bytes;
    if (calls >= 0) return;
    drain.check();
    adjustFlow();
  }
  function adjustFlow(): void {
    const isFull = held.bytes > MAX_WAITING || toClient.backlog() > MAX_WAITING;
    if (isFull || toServer.congested()) fromClient.pause();
    else fromClient.resume();
  }
  function take(piece: Piece): void {
    if (!piece.whole) {
      long.take(piece);
      return;
    }
    const { message, problem } = readRequestLine(piece);
    if (message && relay.elicitation.read(message)) return;
    if (message && piece.ends) relay.open.sent(message);
    const ruling = rulingOn(message, problem, relay);
    if (!(ruling instanceof Promise)) {
      apply(ruling, { piece, message, forward: toServer.relay }, relay);
      return;
    }
    hold(1, piece.bytes.length);
    void ruling.then((late) => {
      apply(late, { piece, message, forward: ({ bytes }) => toServer.insert(bytes) }, relay);
      hold(-1, -piece.bytes.length);
    });
  }

  fromClient.on("data", (chunk: Buffer) => {
    toServer.together(() => {
      toClient.together(() => {
        splitter.push(chunk).forEach(take);
      });
    });
    adjustFlow();
  });
  streams.toServer.on("drain", adjustFlow);
  streams.toClient.on("drain", adjustFlow);
  stopping.addEventListener("abort", drain.begin);
  whenEnded(fromClient, () => {
    splitter.end().forEach(take);
    long.end();
    relay.elicitation.close();
    drain.begin();
  });
}

/** Parses a line of the client that may be a request, or matter to the gate. */
function readRequestLine({ bytes }: Piece): { message?: Message; problem?: Problem } {
  const mayMatter = bytes.includes('"id"') || mayMatterFromClient(bytes);
  const reading = mayMatter ? readMessage(bytes) : undefined;
  // A line that is not a message and cannot be a tool call is forwarded: servers on stdio ignore it, or answer it.
  if (reading === undefined || reading.kind === "other") return {};
  return reading.kind === "unreadable" && !mayMatterFromClient(bytes) ? {} : reading;
}

function rulingOn(
  message: Message | undefined,
  problem: Problem | undefined,
  { gate, link, stopping }: Relay,
): Ruling | Promise<Ruling> {
  const isRefused = stopping.aborted && message && "method" in message && "id" in message;
  if (isRefused) return { kind: "answer", message: refusal(message) };
  if (problem) return gate.passOrRefuse({ reason: "unreadable", ...problem });
  if (message === undefined) return FORWARD;
  return gate.fromClient(message, link);
}

/** The answer to a request that comes too late. */
function refusal({ id }: Message): Message {
  const message = "The proxy is shutting down; the request was not forwarded.";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}

/** A line of the client, and how to forward it. */
interface Ruled {
  readonly piece: Piece;
  readonly message: Message | undefined;
  readonly forward: LineWriter["relay"];
}

function apply(
  ruling: Ruling,
  { piece, message, forward }: Ruled,
  { toClient, open }: Relay,
): void {
  if (ruling.kind === "forward") {
    forward(ruling.message ? { bytes: toLine(ruling.message), ends: true } : piece);
    if (message) open.forwarded(message);
    void ruling.limited?.givenUp?.then((answer) => {
      toClient.insert(toLine(answer));
      if (message) open.settled(message);
    });
    return;
  }
  if (ruling.kind === "answer") toClient.insert(toLine(ruling.message));
  if (message) open.settled(message);
}

/** Relays the server's lines; resolves when its stream has ended and every response is written. */
async function relayServer(streams: LineStreams, relay: Relay): Promise<void> {
  const { fromServer } = streams;
  const { gate, link, own, rewriting, drain, toClient } = relay;
  const splitter = createLineSplitter(relay.maxResultBytes ?? relay.maxMessageBytes);
  const long = longLinesOfServer(relay);

  function take(piece: Piece): void {
    if (!piece.whole) {
      long.take(piece);
      return;
    }
    relayWhole(piece);
    relay.open.heard(piece.bytes);
  }
  function relayWhole(piece: Piece): void {
    const message = readIfNeeded(piece, relay);
    if (message === undefined) {
      toClient.relay(piece);
      return;
    }
    if (own.take(message)) return;
    const replacement = gate.fromServer(message, link, () => piece.bytes.toString("utf8"));
    if (!(replacement instanceof Promise)) {
      if (replacement === undefined) toClient.relay(piece);
      else if (replacement !== null) toClient.insert(toLine(replacement));
      return;
    }
    const done = replacement.then((late) => {
      if (late !== null) toClient.insert(late === undefined ? piece.bytes : toLine(late));
      rewriting.delete(done);
      drain.check();
    });
    rewriting.add(done);
  }

  fromServer.on("data", (chunk: Buffer) => {
    toClient.together(() => {
      splitter.push(chunk).forEach(take);
    });
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
  long.end();
  // A stage may wait for an answer that will not come.
  own.close();
  await Promise.all(rewriting);
}

/** Parses a line only if it may be a response that is awaited, or news of the tools. */
function readIfNeeded({ bytes }: Piece, { gate, link, own }: Relay): Message | undefined {
  const isAwaited = own.waiting() || gate.awaits(link);
  return isAwaited || mayMatterFromServer(bytes) ? parseMessage(bytes) : undefined;
}
