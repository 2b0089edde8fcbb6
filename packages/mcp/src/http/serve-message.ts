import type { Link, Message, Ruling } from "../gate/link.ts";
import type { Gate } from "../gate/gate.ts";
import { parseMessage } from "../wire/parse-message.ts";
import { mayMatterFromClient } from "../wire/plain-bytes.ts";
import { answerMessage, answerNothing } from "./answer.ts";
import { type Exchange, forward } from "./forward.ts";
import { headersAgree } from "./message-headers.ts";
import type { ProxyServices } from "./proxy.ts";
import { readBody } from "./read-body.ts";
import { keysOf } from "./request-keys.ts";

/** Serves a message that a client posts. */
export async function serveMessage(exchange: Exchange, services: ProxyServices): Promise<void> {
  const { request, response, target, headers } = exchange;
  const { gate, links, attemptKey, maxMessageBytes } = services;
  const { bytes, whole } = await readBody(request, maxMessageBytes);
  if (!whole) {
    await forward(exchange, { head: bytes, body: request }, services);
    return;
  }
  const message =
    request.headers["content-encoding"] === undefined ? parseMessage(bytes) : undefined;
  if (message === undefined) {
    await forward(exchange, { body: bytes }, services);
    return;
  }
  const keys = keysOf(headers, target.query, message, attemptKey);
  const link = links.of(keys, message, { path: target.path, headers });
  const mayAnswer = mayMatterFromClient(bytes) && headersAgree(request.headers, message);
  const ruling = mayAnswer ? await rule(exchange, message, link, gate) : FORWARD;
  switch (ruling.kind) {
    case "forward":
      await forward(exchange, { body: bodyOf(ruling, bytes), link, id: message["id"] }, services);
      break;
    case "answer":
      answerMessage(response, ruling.message, request.headers.origin);
      break;
    case "drop":
      answerNothing(response, "id" in message);
      break;
  }
  links.done(link, keys);
}

/** The bytes as they came, unless the user wants arguments unwrapped. */
function bodyOf({ message }: { readonly message?: Message }, bytes: Buffer): Buffer {
  return message ? Buffer.from(JSON.stringify(message)) : bytes;
}

const FORWARD: Ruling = { kind: "forward" };
const DROP: Ruling = { kind: "drop" };

/** The gate's ruling; a client that leaves meanwhile has cancelled its call. */
async function rule(
  { response }: Exchange,
  message: Message,
  link: Link,
  gate: Gate,
): Promise<Ruling> {
  const cancel = (): void => {
    const params = { requestId: message["id"] };
    void gate.fromClient({ jsonrpc: "2.0", method: "notifications/cancelled", params }, link);
  };
  response.once("close", cancel);
  const ruling = await gate.fromClient(message, link);
  response.off("close", cancel);
  return response.destroyed ? DROP : ruling;
}
