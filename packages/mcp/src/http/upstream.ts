import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Header } from "./headers.ts";

/** A request as it is sent to the server. */
interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
}

/** The server behind the proxy. */
export interface Upstream {
  readonly url: URL;
  /** Starts a request; its body is the caller's to write. */
  readonly start: (request: UpstreamRequest) => ClientRequest;
  readonly close: () => void;
}

/** Many servers drop idle connections after five seconds, and a request on its way would be lost with one. */
const IDLE_MS = 4_000;

/** Keeps connections to a server. */
export function createUpstream(url: URL): Upstream {
  const { Agent, request } = url.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const { host, port } = url;
  return {
    url,
    start: ({ method, path, headers }) =>
      request({ agent, method, path, hostname, port, headers: flatHeaders(headers, host) }),
    close: () => {
      agent.destroy();
    },
  };
}

/** Waits for the head of a response; rejects where the server cannot be reached. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject);
  });
}

/** A flat list, in which spelling, order and repetition survive. */
function flatHeaders(headers: readonly Header[], host: string): readonly string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) if (name.toLowerCase() !== "host") flat.push(name, value);
  flat.push("Host", host);
  return flat;
}
