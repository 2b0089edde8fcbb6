import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { refusalBy } from "./allowed-client.ts";
import { drainOf } from "./drain.ts";
import {
  answerFailure,
  type Exchange,
  type ProxyOptions,
  type ProxyServices,
  targetOf,
} from "./exchange.ts";
import { forward } from "./forward.ts";
import { endToEnd, replacing } from "./headers.ts";
import { createLinks, keysOf } from "./links.ts";
import { serveMessage } from "./serve-message.ts";

/** A proxy that is listening. */
export interface ListeningProxy {
  readonly port: number;
  /** Stops listening; resolves when the calls in flight are answered, or after `graceMs`. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** Stops listening and closes all connections. */
  readonly close: () => Promise<void>;
}

/** Listens for clients; rejects if the address is not available. */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  options: ProxyOptions,
): Promise<ListeningProxy> {
  // Streams may be silent and uploads slow for any length of time; only request heads have a time limit.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 60_000 },
    createProxy(options),
  );
  const drain = drainOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    drain,
    close: async () => {
      await closed(server);
      options.upstream.close();
    },
  };
}

async function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

function createProxy(
  options: ProxyOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { gate, upstream, listTimeoutMs } = options;
  const services = {
    ...options,
    links: createLinks(gate, upstream, listTimeoutMs),
    refusalOf: refusalBy(options.allowed),
  };
  return (request, response) => {
    // A client may disconnect at any time.
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
    answerFailure(response, 400, `Refused by the proxy: request a path such as ${endpoint}.`);
    return;
  }
  const headers = endToEnd(request.rawHeaders);
  // Credentials for the endpoint must not give access to the rest of the server.
  const sent = target.isEndpoint ? replacing(headers, own) : headers;
  const exchange = { request, response, target, headers: sent };
  if (!target.isEndpoint) {
    await forward(exchange, { body: request }, services);
  } else if (request.method === "POST") await serveMessage(exchange, services);
  else await serveSession(exchange, services);
}

/** GET opens a session's stream, which announces changes of the tools; DELETE ends the session. */
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
  else answerFailure(response, 502, "The proxy could not forward the request.");
}
