import { createServer, type IncomingMessage, type Server } from "node:http";
import { refusalBy } from "../http/index.ts";
import { UsageError } from "./failure.ts";

/** Says why the proxy cannot serve calls; undefined if it can. */
export type WhyNotReady = () => Promise<string | undefined>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const HOST = "127.0.0.1";

/** Serves metrics and health on the loopback address; throws a UsageError if the port is not available. */
export async function serveStatus(
  port: number,
  metrics: () => string,
  whyNotReady: WhyNotReady,
): Promise<Server> {
  // A web page that points its own domain at this address must not read the names of tools.
  const refusalOf = refusalBy({ host: HOST, hosts: [], origins: [] });

  async function answerTo({ headers, method, url }: IncomingMessage): Promise<Answer> {
    const refusal = refusalOf(headers);
    if (refusal !== undefined) return { status: 403, text: "Use a loopback name as host.\n" };
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
    void answerTo(request).then(({ status, text }) => {
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4" });
      response.end(text);
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", () => {
      reject(new UsageError(`--metrics-port ${port} is not available: choose another one, or 0`));
    });
    server.listen(port, HOST, () => {
      // The endpoint alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

const READY: Answer = { status: 200, text: "ok\n" };
const NOT_FOUND: Answer = { status: 404, text: "" };
