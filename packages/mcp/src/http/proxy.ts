import type { IncomingMessage, ServerResponse } from "node:http";
import type { Gate } from "../gate/gate.ts";
import { type AllowedClients, refusalBy, type RefusalOf } from "./allowed-client.ts";
import { answerFailure } from "./answer.ts";
import { type Exchange, forward } from "./forward.ts";
import { endToEnd, replacing } from "./headers.ts";
import type { Header } from "./headers.ts";
import { createLinks, type Links } from "./links.ts";
import { serveMessage } from "./serve-message.ts";
import { type AttemptKeySource, keysOf } from "./request-keys.ts";
import { targetOf } from "./target.ts";
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

/** Makes the function that serves every request. */
export function createProxy(
  options: ProxyOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { gate, upstream, listTimeoutMs } = options;
  const services = {
    ...options,
    links: createLinks(gate, upstream, listTimeoutMs),
    refusalOf: refusalBy(options.allowed),
  };
  return (request, response) => {
    // A client may leave at any moment.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    serve(request, response, services).catch(() => {
      fail(response);
    });
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  services: ProxyServices,
): Promise<void> {
  const { upstream, endpoint, headers: own } = services;
  const refusal = services.refusalOf(request.headers);
  if (refusal !== undefined) {
    answerFailure(response, 403, `Refused by the proxy: ${refusal}.`);
    return;
  }
  const target = targetOf(request.url ?? "", upstream.url, endpoint);
  if (target === undefined) {
    answerFailure(response, 400, `Refused by the proxy: ask for a path such as ${endpoint}.`);
    return;
  }
  const headers = endToEnd(request.rawHeaders);
  // What opens the endpoint must not open the rest of that server.
  const sent = target.isEndpoint ? replacing(headers, own) : headers;
  const exchange = { request, response, target, headers: sent };
  if (!target.isEndpoint) {
    await forward(exchange, { body: request }, services);
  } else if (request.method === "POST") await serveMessage(exchange, services);
  else await serveSession(exchange, services);
}

/** A session's own stream carries news of the tools; deleting it ends the session. */
async function serveSession(exchange: Exchange, services: ProxyServices): Promise<void> {
  const { request, response, target, headers } = exchange;
  const { links, attemptKey } = services;
  const keys = keysOf(headers, target.query, {}, attemptKey);
  const link = links.of(keys, {}, { path: target.path, headers });
  await forward(exchange, { body: request, link }, services);
  if (request.method === "DELETE" && response.statusCode < 300) links.end(keys);
  links.done(link, keys);
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else answerFailure(response, 502, "The proxy could not pass the request on.");
}
