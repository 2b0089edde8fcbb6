import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import type { AllowedClients, RefusalOf } from "./allowed-client.ts";
import type { Header } from "./headers.ts";
import type { AttemptKeySource, Links } from "./links.ts";
import type { Upstream } from "./upstream.ts";

/** How the proxy behaves. */
export interface ProxyOptions {
  readonly gate: Gate;
  readonly upstream: Upstream;
  /** Path under which clients find the server. */
  readonly endpoint: string;
  /** Headers for the server, in place of the client's. */
  readonly headers: readonly Header[];
  readonly allowed: AllowedClients;
  readonly attemptKey: AttemptKeySource;
  readonly maxMessageBytes: number;
  readonly listTimeoutMs: number;
}

/** What all requests share. */
export interface ProxyServices extends ProxyOptions {
  readonly links: Links;
  readonly refusalOf: RefusalOf;
}

/** A request on its way, and where its answer goes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** The headers that the server gets. */
  readonly headers: readonly Header[];
}

/** Where a request goes. */
export interface Target {
  /** Path and query at the server. */
  readonly path: string;
  readonly query: string;
  /** Whether MCP is spoken there; everything else of the server is passed on unread. */
  readonly isEndpoint: boolean;
}

/** Finds where a request for `url` goes; undefined where it is no path of this proxy. */
export function targetOf(url: string, upstream: URL, endpoint: string): Target | undefined {
  if (!url.startsWith("/")) return undefined;
  const at = url.indexOf("?");
  const path = at === -1 ? url : url.slice(0, at);
  const query = at === -1 ? "" : url.slice(at + 1);
  if (path !== endpoint && path !== upstream.pathname) {
    return { path: url, query, isEndpoint: false };
  }
  const queries = [upstream.search.slice(1), query].filter((part) => part !== "");
  const search = queries.length === 0 ? "" : `?${queries.join("&")}`;
  return { path: `${upstream.pathname}${search}`, query, isEndpoint: true };
}

/** Answers a request with one message, readable for the web page that asked too. */
export function answerMessage(
  response: ServerResponse,
  message: Message,
  origin: string | undefined,
): void {
  const body = Buffer.from(JSON.stringify(message));
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": body.length,
    ...(origin !== undefined && { "access-control-allow-origin": origin, vary: "Origin" }),
  });
  response.end(body);
}

/** Answers a request that the proxy itself cannot serve. */
export function answerFailure(
  response: ServerResponse,
  status: number,
  words: string,
  id: unknown = null,
): void {
  const code = status < 500 ? -32_600 : -32_603;
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: words } }));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
  });
  response.end(body);
}

/** Ends the response to a call that the client has cancelled, where there is no answer, or to the cancellation. */
export function answerNothing(response: ServerResponse, isRequest: boolean): void {
  if (isRequest)
    response.writeHead(200, { "content-type": "text/event-stream", "content-length": 0 });
  else response.writeHead(202, { "content-length": 0 });
  response.end();
}
