import type { Readable, Writable } from "node:stream";
import type { Link } from "../gate/link.ts";
import { createOwnRequests } from "../wire/own-requests.ts";
import { clientToServer } from "./client-to-server.ts";
import type { RelayGate } from "./late-gate.ts";
import { createMessageWriter, toLine } from "./message-writer.ts";
import { serverToClient } from "./server-to-client.ts";

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
