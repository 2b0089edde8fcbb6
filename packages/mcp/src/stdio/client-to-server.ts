import type { Link, Ruling } from "../gate/link.ts";
import { parseMessage } from "../wire/parse-message.ts";
import { mayMatterFromClient } from "../wire/plain-bytes.ts";
import type { Piece } from "../wire/pieces.ts";
import { createLineSplitter } from "./lines.ts";
import type { RelayGate } from "./late-gate.ts";
import { type MessageWriter, toLine } from "./message-writer.ts";
import type { LineStreams } from "./relay-lines.ts";
import { whenEnded } from "./when-ended.ts";

/** What one direction of the relay needs. */
export interface ClientWay {
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
export function clientToServer(streams: LineStreams, way: ClientWay): void {
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
