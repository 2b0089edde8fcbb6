import type { ServerResponse } from "node:http";
import type { Message } from "../gate/link.ts";

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
