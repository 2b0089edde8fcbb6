import { EventEmitter } from "node:events";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { MAX_LIST_BYTES } from "../wire/index.ts";
import { flat, type Header } from "./headers.ts";
import { foundOnce } from "./known-head.ts";

interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  /** Whether the response must be readable, which a compressed one is not. */
  readonly isInspected?: boolean;
  /** What frames the body. */
  readonly framing?: Header | undefined;
}

/** The server behind the proxy. */
export interface Upstream {
  readonly url: URL;
  /** The size of the longest answer to a request of the gate that is read. */
  readonly maxAnswerBytes: number;
  /** Starts a request; the caller writes its body. */
  readonly start: (request: UpstreamRequest) => ClientRequest;
  /** Adds a listener for lost connections: the server cannot be reached, or has ended one and may be another now. */
  readonly onLost: (listener: () => void) => void;
  readonly close: () => void;
}

/** Many servers close idle connections after five seconds; a request sent at that moment would be lost. */
const IDLE_MS = 4_000;
const ONLY_NAME = "";

/** Creates the pool of connections to a server. */
export function createUpstream(
  url: URL,
  maxAnswerBytes: number = MAX_LIST_BYTES,
  idleMs: number = IDLE_MS,
): Upstream {
  const { Agent, request } = url.protocol === "https:" ? https : http;
  // Idle connections end by time alone, so that all others are known to be ended by the server.
  const maxFreeSockets = Number.POSITIVE_INFINITY;
  const agent = new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets });
  // There is one server only, and its name would be composed of all options for each request.
  agent.getName = () => ONLY_NAME;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const { host, port } = url;
  const lost = new EventEmitter<{ lost: [] }>();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = connect(...args);
    socket?.on("timeout", () => {
      // It is silent too while a tool takes its time; only idle ones are closed for that.
      if (agent.freeSockets[ONLY_NAME]?.some((idle) => idle === socket)) aborted.add(socket);
    });
    socket?.once("close", () => {
      if (!aborted.has(socket)) lost.emit("lost");
    });
    return socket;
  };
  return {
    url,
    maxAnswerBytes,
    onLost: (listener) => void lost.on("lost", listener),
    start({ method, path, headers, isInspected = false, framing }) {
      // A flat list keeps the spelling, order and repetition of headers.
      const sent = [...(isInspected ? readableOf : sentOf)(headers)];
      if (framing) sent.push(...framing);
      sent.push("Host", host);
      // Without a listener, the error of a request that nobody waits for any longer would end the process.
      return request({ agent, method, path, hostname, port, headers: sent }).on("error", ignore);
    },
    close: () => {
      agent.destroy();
    },
  };
}

/** The connections that were closed here. */
const aborted = new WeakSet<object>();

/** Aborts a request, which says nothing about the server. */
export function abort(request: ClientRequest): void {
  if (request.socket) aborted.add(request.socket);
  request.destroy();
}

/** The lowest code of a response that is the last one to its request. */
const FIRST_FINAL = 200;

/** Resolves to a response when its head has arrived; rejects if there will be none that can be relayed. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Node does no more than close the connection if the server switches protocols.
    const onClose = (): void => {
      reject(new Error("The connection was closed without a response"));
    };
    request.once("close", onClose).on("error", reject);
    request.once("response", (response) => {
      if ((response.statusCode ?? 0) < FIRST_FINAL) {
        abort(request);
        return;
      }
      request.off("close", onClose);
      resolve(response);
    });
  });
}

function ignore(): void {}

/** Headers that every request to the server has anew. */
const REPLACED = ["host", "content-length"];
const sentOf = foundOnce((headers) => flat(headers, REPLACED));
const readableOf = foundOnce((headers) => flat(headers, [...REPLACED, "accept-encoding"]));
