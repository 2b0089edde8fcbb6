import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from "node:http";
import { isIP } from "node:net";
import { isLoopback, refusalBy, type RefusalOf } from "../http/index.ts";
import { UsageError } from "./failure.ts";

/** Says why the proxy cannot serve calls; undefined if it can. */
export type WhyNotReady = () => Promise<string | undefined>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Where to listen, and by which names a request may address it. */
export interface StatusAddress {
  readonly host: string;
  readonly port: number;
  readonly allowHosts: readonly string[];
}

/** Serves metrics and health; throws a UsageError if the address is not available. */
export async function serveStatus(
  { host, port, allowHosts }: StatusAddress,
  metrics: () => string,
  whyNotReady: WhyNotReady,
): Promise<Server> {
  const refusalOf = refusalOfStatus(host, allowHosts);

  async function answerTo({ headers, method, url }: IncomingMessage): Promise<Answer> {
    const refusal = refusalOf(headers);
    if (refusal !== undefined) return { status: 403, text: `Refused: ${refusal}.\n` };
    if (method !== "GET") return NOT_FOUND;
    switch (url) {
      case "/metrics":
        return { status: 200, text: metrics() };
      case "/healthz":
        return READY;
      case "/readyz": {
        const reason = await whyNotReady();
        return reason === undefined ? READY : { status: 503, text: `not ready: ${reason}\n` };
      }
      default:
        return NOT_FOUND;
    }
  }

  const server = createServer((request, response) => {
    const answered = answerTo(request).then(({ status, text }) => {
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4" });
      response.end(text);
    });
    // A scrape that fails must not end the proxy; who scrapes sees that it failed.
    answered.catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    // After the start, it is a connection that could not be accepted.
    server.on("error", () => {
      const address = isLoopback(host) ? "" : `--metrics-host ${host} `;
      reject(
        new UsageError(
          `${address}--metrics-port ${port} is not available: choose another one, or 0`,
        ),
      );
    });
    server.listen(port, host, () => {
      // The endpoint alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

/**
 * A web page that points its own domain at this address must not read the names of tools. Prometheus and kubelets use the
 * address itself, which no such page can.
 */
function refusalOfStatus(host: string, allowHosts: readonly string[]): RefusalOf {
  const named = refusalBy({ host, hosts: [host, ...allowHosts], origins: [] });
  if (isLoopback(host)) return named;
  return (headers: IncomingHttpHeaders) =>
    headers.origin === undefined && isIP(addressOf(headers.host)) !== 0
      ? undefined
      : named(headers);
}

/** The host of a `Host` header, without port and brackets. */
function addressOf(host = ""): string {
  return host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

const READY: Answer = { status: 200, text: "ok\n" };
const NOT_FOUND: Answer = { status: 404, text: "" };
