import { INVALID_REQUEST } from "../wire/index.ts";
import { answerMessage, type Exchange, type ProxyServices } from "./exchange.ts";
import { forward } from "./forward.ts";
import { headerValue } from "./headers.ts";
import { packetParsed } from "./read-body.ts";
import { hasBody, readRequest, type Received } from "./read-request.ts";
import { endingWith, restOf } from "./serve-message.ts";

/**
 * Serves a request for another path than the endpoint, such as OAuth's. A tool call there cannot be validated: the old
 * HTTP+SSE transport answers it on another connection.
 */
export async function serveElsewhere(exchange: Exchange, services: ProxyServices): Promise<void> {
  const { request, headers } = exchange;
  if (!hasBody(request) || !mayBeJson(headerValue(headers, "content-type"))) {
    return forward(exchange, { body: request }, services);
  }
  await packetParsed;
  const received = await readRequest(request, headers, services);
  if (isToolCall(received)) {
    const message = "tool calls are validated at the MCP endpoint only";
    const problem = { reason: "other-path", code: INVALID_REQUEST, message, id: null } as const;
    const ruling = services.gate.passOrRefuse(problem);
    if (ruling.kind === "answer") {
      received.share?.close();
      answerMessage(exchange, ruling.message, 403);
      return undefined;
    }
  }
  const sent = { ...exchange, headers: received.headers };
  return endingWith(received.share?.close, () =>
    forward(sent, restOf(received, exchange), services),
  );
}

/** Forms and uploads are not read. */
function mayBeJson(contentType: string | undefined): boolean {
  return contentType === undefined || /json|^text\//i.test(contentType);
}

function isToolCall(received: Received): boolean {
  switch (received.kind) {
    case "message":
      return received.message["method"] === "tools/call";
    case "unvalidated":
      return received.bytes.includes("tools/call");
    case "large":
    case "other":
      return false;
  }
}
