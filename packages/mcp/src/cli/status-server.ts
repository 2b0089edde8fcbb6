import { createServer, type IncomingMessage, type Server } from "node:http";
import { isLoopback, refusalBy } from "../http/index.ts";
import { UsageError } from "./failure.ts";

/** Says why the proxy cannot serve calls; undefined if it can. */
export type WhyNotReady = () => Promise<string | undefined>;

interface StatusAnswer {
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
  const refusalOf = refusalBy({ host, hosts: allowHosts, origins: [] });

  async function answerTo({ headers, method, url }: IncomingMessage): Promise<StatusAnswer> {
    const refusal = refusalOf(headers);
    if (refusal !== undefined) return { status: 403, text: `Refused: ${refusal}.\n` };
    if (method !== "GET" && method !== "HEAD") return NOT_FOUND;
    // Some scrapers and probes add a query.
    switch (url?.split("?", 1)[0]) {
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

const READY: StatusAnswer = { status: 200, text: "ok\n" };
const NOT_FOUND: StatusAnswer = { status: 404, text: "" };
