import type { Message } from "../gate/link.ts";
import type { OwnRequests } from "../wire/own-requests.ts";
import { parseMessage } from "../wire/parse-message.ts";
import { mayMatterFromServer } from "../wire/plain-bytes.ts";
import type { ClientWay } from "./client-to-server.ts";
import type { Piece } from "../wire/pieces.ts";
import { createLineSplitter } from "./lines.ts";
import { toLine } from "./message-writer.ts";
import type { LineStreams } from "./relay-lines.ts";
import { whenEnded } from "./when-ended.ts";

interface ServerWay extends Omit<ClientWay, "toServer" | "onClientEnd"> {
  readonly own: OwnRequests;
}

/** Relays the server's lines and resolves once its stream has ended and every answer is written. */
export async function serverToClient(streams: LineStreams, way: ServerWay): Promise<void> {
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
