import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { within } from "@toolcontract/core/adapter";
import { refusalBy } from "./allowed-client.ts";
import { createBodyBudget } from "./body-budget.ts";
import { containmentOf } from "./containment.ts";
import { drainOf } from "./drain.ts";
import {
  answerFailure,
  answerForbidden,
  type Exchange,
  type ProxyOptions,
  type ProxyServices,
} from "./exchange.ts";
import { createKeysOf } from "./identity.ts";
import { createHeadOf } from "./known-head.ts";
import { createLinks } from "./links.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import { hasBody } from "./read-request.ts";
import { createReachability } from "./reachability.ts";
import { serveElsewhere } from "./serve-elsewhere.ts";
import { serveMessage, serveSession } from "./serve-message.ts";
import { createTargets } from "./target.ts";

/** A proxy that is listening. */
export interface ListeningProxy {
  readonly port: number;
  /** Stops listening; resolves when the calls in flight are answered, or after `graceMs`. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** Stops listening and closes all connections; calls in flight are answered with the error that their outcome is unknown. */
  readonly close: () => Promise<void>;
}

/** After this silence, the system asks whether the client's machine is still there. */
const KEEP_ALIVE_MS = 60_000;

/** Listens for clients; rejects if the address is not available. */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  options: ProxyOptions,
): Promise<ListeningProxy> {
  const { headTimeoutMs = HEAD_TIMEOUT_MS } = options;
  const openCalls = createOpenCalls(options.gate, options.resumeMs);
  const server = createServer(
    {
      // Streams may be silent and uploads slow for any length of time; the bodies that are read here have a limit of
      // their own. Node takes this limit for that of heads, too, unless they are given another one.
      requestTimeout: 0,
      headersTimeout: headTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECKING_MS, headTimeoutMs),
      keepAliveTimeout: 60_000,
      // A client that vanishes without a word would keep its streams for ever.
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    },
    createProxy(options, openCalls),
  );
  const drain = drainOf(server);
  await new Promise<void>((resolve, reject) => {
    // A later error is a connection that could not be accepted: without a listener it would end the process.
    server.on("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    drain,
    close: async () => {
      // A stage may write to a store what became of its call.
      const hadCalls = await within(openCalls.stop(), GIVE_UP_MS).catch(() => true);
      // The answers leave before the connections are closed.
      if (hadCalls) await new Promise((resolve) => setImmediate(resolve));
      await closed(server);
      options.upstream.close();
    },
  };
}

/** How long the end of the proxy waits for the stages of open calls. */
const GIVE_UP_MS = 1_000;

async function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

const VARYING =
  "Clients in a row differ in one header alone, and each is counted as another user: if it changes with every request, name the headers that tell users apart with --vary, or one key with --attempt-key";
const HEAD_TIMEOUT_MS = 60_000;
/** How often Node looks for heads that are late. */
const CHECKING_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;
/** This many of the largest messages may be arriving at once. */
const MAX_ARRIVING = 16;

function createProxy(
  options: ProxyOptions,
  openCalls: OpenCalls,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { gate, upstream, endpoint, maxMessageBytes } = options;
  const { listTimeoutMs, bodyTimeoutMs: timeoutMs = BODY_TIMEOUT_MS } = options;
  upstream.onLost(() => {
    gate.expireLists();
  });
  const services = {
    ...options,
    openCalls,
    reachability: createReachability(gate.contract.settings),
    links: createLinks(gate, upstream, listTimeoutMs),
    keysOf: createKeysOf({
      ...options,
      onVarying(header) {
        gate.contract.settings.log({ level: "warn", package: "mcp", header }, VARYING);
      },
    }),
    targetOf: createTargets(upstream.url, endpoint),
    headOf: createHeadOf(options.headers, refusalBy(options.allowed)),
    budget: createBodyBudget({ maxBytes: MAX_ARRIVING * maxMessageBytes, timeoutMs }),
  };
  return (request, response) => {
    // A client may disconnect at any time.
    request.on("error", ignore);
    response.on("error", ignore);
    const contain = containmentOf(request, response, (thrown) => {
      gate.contract.settings.degraded("exchange", thrown);
    });
    contain(() => serve({ request, response, contain }, services));
  };
}

function ignore(): void {}

function serve(
  received: Pick<Exchange, "request" | "response" | "contain">,
  services: ProxyServices,
): undefined | Promise<void> {
  const { request, response } = received;
  const { endpoint } = services;
  const { refusal, forwarded } = services.headOf(request);
  if (refusal !== undefined) {
    answerForbidden(response, `Refused by the proxy: ${refusal}.`);
    return undefined;
  }
  const target = services.targetOf(request.url ?? "");
  if (target === undefined) {
    answerFailure(response, 400, `Refused by the proxy: request a path such as ${endpoint}.`);
    return undefined;
  }
  const exchange = { ...received, target, headers: forwarded(target.isEndpoint) };
  if (!target.isEndpoint) return serveElsewhere(exchange, services);
  return hasBody(request) ? serveMessage(exchange, services) : serveSession(exchange, services);
}
