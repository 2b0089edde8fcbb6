import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import type { AllowedClients, RefusalOf } from "./allowed-client.ts";
import type { Header } from "./headers.ts";
import type { AttemptKeySource, Links } from "./links.ts";
import type { Upstream } from "./upstream.ts";

/** Options of the proxy. */
export interface ProxyOptions {
  readonly gate: Gate;
  readonly upstream: Upstream;
  /** The path of the MCP endpoint for clients. */
  readonly endpoint: string;
  /** Headers sent to the server, in place of the client's of the same name. */
  readonly headers: readonly Header[];
  readonly allowed: AllowedClients;
  readonly attemptKey: AttemptKeySource;
  /** Longer messages are forwarded without being parsed. */
  readonly maxMessageBytes: number;
  readonly listTimeoutMs: number;
}

/** What all requests share. */
export interface ProxyServices extends ProxyOptions {
  readonly links: Links;
  readonly refusalOf: RefusalOf;
}

/** A client's request, and where its response goes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  /** The headers to send to the server. */
  readonly headers: readonly Header[];
}

/** Where a request is forwarded to. */
export interface Target {
  /** Path and query on the server. */
  readonly path: string;
  /** The client's own query. */
  readonly query: string;
  /** Whether it is the MCP endpoint; all other paths are forwarded without being parsed. */
  readonly isEndpoint: boolean;
}

/** Resolves a request's `url`; undefined if it is not a path. */
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

/** Answers a request with one message, which the requesting web page may read. */
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

/** Answers a request that the proxy cannot serve. */
export function answerFailure(
  response: ServerResponse,
  status: number,
  reason: string,
  id: unknown = null,
): void {
  const error = { code: status < 500 ? -32_600 : -32_603, message: reason };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, error }));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
  });
  response.end(body);
}

/** Ends the response to a cancelled call, which gets no answer, or to the cancellation itself. */
export function answerNothing(response: ServerResponse, isRequest: boolean): void {
  if (isRequest)
    response.writeHead(200, { "content-type": "text/event-stream", "content-length": 0 });
  else response.writeHead(202, { "content-length": 0 });
  response.end();
}
