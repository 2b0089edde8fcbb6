import type { IncomingHttpHeaders } from "node:http";
import type { Gate, Link, Ruling } from "../gate/index.ts";
import {
  isRecord,
  mayMatterFromClient,
  type Message,
  metaOf,
  parseMessage,
} from "../wire/index.ts";
import { answerMessage, answerNothing, type Exchange, type ProxyServices } from "./exchange.ts";
import { forward } from "./forward.ts";
import { keysOf } from "./links.ts";
import { readBody } from "./read-body.ts";

const FORWARD: Ruling = { kind: "forward" };
const DROP: Ruling = { kind: "drop" };

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
  const ruling = mayAnswer ? await rulingOn(exchange, message, link, gate) : FORWARD;
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

/** The original bytes, unless the gate replaced the message. */
function bodyOf({ message }: { readonly message?: Message }, bytes: Buffer): Buffer {
  return message ? Buffer.from(JSON.stringify(message)) : bytes;
}

/** The gate's ruling; a client that disconnects meanwhile has cancelled its call. */
async function rulingOn(
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

const META = "io.modelcontextprotocol/";
const FIRST_WITHOUT_SESSIONS = "2026-07-28";
const WRAPPED = /^=\?base64\?(.*)\?=$/;

/**
 * Whether a request's headers allow an answer from here: they agree with the message, and the client accepts JSON.
 *
 * If they contradict the message, the server must see the request, because it is the one to refuse it.
 */
export function headersAgree(headers: IncomingHttpHeaders, message: Message): boolean {
  if (!/^application\/json(?:[;\s]|$)/i.test(headers["content-type"] ?? "")) return false;
  if (!/application\/(?:json|\*)|\*\/\*/i.test(headers.accept ?? "*/*")) return false;
  const params = isRecord(message["params"]) ? message["params"] : {};
  const meta = metaOf(message) ?? {};
  const version = headers["mcp-protocol-version"];
  const isLegacy =
    meta[`${META}protocolVersion`] === undefined &&
    (typeof version !== "string" || version < FIRST_WITHOUT_SESSIONS);
  if (isLegacy) return true;
  return (
    version === meta[`${META}protocolVersion`] &&
    isRecord(meta[`${META}clientCapabilities`]) &&
    headers["mcp-method"] === message["method"] &&
    decoded(headers["mcp-name"]) === params["name"] &&
    parametersAgree(headers, params["arguments"])
  );
}

/** The schema says which argument a header repeats; without it, the header must at least repeat one of them. */
function parametersAgree(headers: IncomingHttpHeaders, args: unknown): boolean {
  const repeated = Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"));
  if (repeated.length === 0) return true;
  const values = new Set(scalarsOf(args));
  return repeated.every(([, value]) => values.has(decoded(value) ?? ""));
}

function scalarsOf(root: unknown): readonly string[] {
  const scalars: string[] = [];
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isRecord(value)) for (const member of Object.values(value)) pending.push(member);
    else if (["string", "number", "boolean"].includes(typeof value)) scalars.push(String(value));
  }
  return scalars;
}

/** Decodes a header value: characters that a header cannot hold are sent as base64. */
function decoded(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const wrapped = WRAPPED.exec(value)?.[1];
  return wrapped === undefined ? value : Buffer.from(wrapped, "base64").toString("utf8");
}
