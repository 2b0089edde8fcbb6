import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { SlotSet } from "@toolcontract/core/adapter";
import { rawHeaderValue } from "./headers.ts";

/** In the stateless protocol, the method of a request is in this header; this one asks for a stream without end. */
const ENDLESS = "subscriptions/listen";

/**
 * Counts a server's requests that will have an answer. Returns how to stop: the server listens no more, and the promise
 * resolves when all of them are answered, or after `graceMs`.
 */
export function drainOf(server: Server): (graceMs: number) => Promise<void> {
  const open = new SlotSet<ServerResponse>();
  let whenIdle: (() => void) | undefined;

  server.on("request", (request, response) => {
    // A client must not send its next request on a connection that is about to be closed.
    if (whenIdle) response.shouldKeepAlive = false;
    if (!hasAnswer(request) && !carrying.has(response)) return;
    const remove = open.add(response);
    response.once("close", () => {
      remove();
      if (whenIdle) server.closeIdleConnections();
      if (open.size === 0) whenIdle?.();
    });
  });
  return async (graceMs) => {
    server.close();
    for (const response of open.values()) response.shouldKeepAlive = false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, open.size === 0 ? 0 : graceMs);
      whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
}

/** The responses to requests that resume the stream of a call. */
const carrying = new WeakSet<ServerResponse>();

/** Notes, while its request is served, that the answer to a call is due on a response. */
export function carriesAnswer(response: ServerResponse): void {
  carrying.add(response);
}

/** The stream of a session or of a subscription ends only when the proxy does. */
function hasAnswer({ method, rawHeaders }: IncomingMessage): boolean {
  return method === "POST" && rawHeaderValue(rawHeaders, "mcp-method") !== ENDLESS;
}
