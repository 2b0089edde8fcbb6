import { EventEmitter } from "node:events";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { MAX_LIST_BYTES } from "../wire/index.ts";
import { proxyEnvironment } from "./forward-proxy.ts";
import { flat, type Header } from "./headers.ts";
import { createIdleConnections } from "./idle-connections.ts";
import { foundOnce } from "./known-head.ts";

interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  /** Whether the response is read, so that the server should not compress it. */
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
  /** Call with the `Keep-Alive` header of a response. */
  readonly announced: (keepAlive: string) => void;
  readonly close: () => void;
}

/** Many servers close idle connections after five seconds; a request sent at that moment would be lost. */
const IDLE_MS = 4_000;
const ONLY_NAME = "";
/** Without TLS, a server is not named when connecting; Node would find out from each request's headers. */
const UNNAMED: Readonly<Record<string, { readonly servername: string }>> = {
  "http:": { servername: "" },
};

/** Creates the pool of connections to a server. */
export function createUpstream(
  url: URL,
  maxAnswerBytes: number = MAX_LIST_BYTES,
  idleMs: number = IDLE_MS,
  proxyEnv: NodeJS.ProcessEnv | undefined = proxyEnvironment(),
): Upstream {
  const isSecure = url.protocol === "https:";
  const { Agent, request } = isSecure ? https : http;
  // Idle connections end by time alone, so that all others are known to be ended by the server.
  const maxFreeSockets = Number.POSITIVE_INFINITY;
  const through = proxyEnv && { proxyEnv };
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets,
    ...UNNAMED[url.protocol],
    ...through,
  });
  // There is one server only, and its name would be composed of all options for each request.
  agent.getName = () => ONLY_NAME;
  const idle = createIdleConnections(idleMs, {
    free: () => agent.freeSockets[ONLY_NAME] ?? [],
    close(socket) {
      aborted.add(socket);
      socket.destroy();
    },
  });
  // Node would set two timers for each call, and read the headers of each response for a hint.
  agent.keepSocketAlive = (socket) => {
    (socket as Socket).unref();
    const mayStay = idle.mayStay();
    if (!mayStay) aborted.add(socket);
    return mayStay;
  };
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const { host, port } = url;
  const lost = new EventEmitter<{ lost: [] }>();
  const connect = agent.createConnection.bind(agent);
  const watch = (socket: Duplex): void => {
    socket.once("close", () => {
      if (!aborted.has(socket)) lost.emit("lost");
    });
  };
  agent.createConnection = (options, onCreate) => {
    // Through the tunnel of a forward proxy, a connection is there when it is made.
    const made: typeof onCreate = (failure, socket) => {
      if (socket && !connecting.has(socket)) watch(socket);
      onCreate?.(failure, socket);
    };
    const socket = connect(options, proxyEnv === undefined ? onCreate : made);
    if (socket) {
      connecting.add(socket);
      socket.once(isSecure ? "secureConnect" : "connect", () => connecting.delete(socket));
      watch(socket);
    }
    return socket;
  };
  return {
    url,
    maxAnswerBytes,
    onLost: (listener) => void lost.on("lost", listener),
    start({ method, path, headers, isInspected = false, framing }) {
      // A flat list keeps the spelling, order and repetition of headers.
      const sent = [...(isInspected ? readableOf : sentOf)(headers), "Host", host];
      if (framing) sent.push(...framing);
      // Without a listener, the error of a request that nobody waits for any longer would end the process.
      return request({ agent, method, path, hostname, port, headers: sent }).on("error", ignore);
    },
    announced: idle.announced,
    close: () => {
      idle.stop();
      agent.destroy();
    },
  };
}

/** The connections that were closed here. */
const aborted = new WeakSet<object>();

/** The connections that were not made yet, or never. */
const connecting = new WeakSet<object>();

/** Whether the server may have a request: what was written on a connection cannot be called back. */
export function mayHaveLeft({ socket }: ClientRequest): boolean {
  return Boolean(socket) && !connecting.has(socket as object);
}

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
    let isAnswered = false;
    request.on("error", reject).on("response", (response) => {
      if ((response.statusCode ?? 0) < FIRST_FINAL) {
        abort(request);
        return;
      }
      isAnswered = true;
      resolve(response);
    });
    // Node does no more than close the connection if the server switches protocols.
    request.on("close", () => {
      if (!isAnswered) reject(new Error("The connection was closed without a response"));
    });
  });
}

function ignore(): void {}

/** Headers that every request to the server has anew. */
const REPLACED = ["host", "content-length"];
const sentOf = foundOnce((headers) => flat(headers, REPLACED));
/** Without this header, any coding would be allowed. */
const UNCODED: Header = ["Accept-Encoding", "identity"];
const readableOf = foundOnce((headers) => flat(headers, [...REPLACED, "accept-encoding"], UNCODED));
