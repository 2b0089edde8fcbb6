import type { Gate, Link, Ruling } from "../gate/index.ts";
import { type Message, isRecord, mayMatterFromClient, parseMessage } from "../wire/index.ts";
import { answerMessage, answerNothing, type Exchange, type ProxyServices } from "./exchange.ts";
import { forward } from "./forward.ts";
import { readBody } from "./read-body.ts";
import { keysOf } from "./links.ts";
import type { IncomingHttpHeaders } from "node:http";

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

const META = "io.modelcontextprotocol/";
const FIRST_WITHOUT_SESSIONS = "2026-07-28";
const WRAPPED = /^=\?base64\?(.*)\?=$/;

/**
 * Tells whether a request is in order as far as its headers tell, so that it may be answered here.
 *
 * The server itself refuses headers that contradict the message, and a client that takes no JSON could not read an
 * answer of ours.
 */
export function headersAgree(headers: IncomingHttpHeaders, message: Message): boolean {
  if (!/^application\/json(?:[;\s]|$)/i.test(headers["content-type"] ?? "")) return false;
  if (!/application\/(?:json|\*)|\*\/\*/i.test(headers.accept ?? "*/*")) return false;
  const params = isRecord(message["params"]) ? message["params"] : {};
  const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
  const version = headers["mcp-protocol-version"];
  const isLegacy =
    meta[`${META}protocolVersion`] === undefined &&
    (typeof version !== "string" || version < FIRST_WITHOUT_SESSIONS);
  if (isLegacy) return true;
  return (
    version === meta[`${META}protocolVersion`] &&
    isRecord(meta[`${META}clientCapabilities`]) &&
    headers["mcp-method"] === message["method"] &&
    plainValue(headers["mcp-name"]) === params["name"] &&
    parametersAgree(headers, params["arguments"])
  );
}

/** Which argument a header repeats is in the tool's schema; that it repeats none can be seen without. */
function parametersAgree(headers: IncomingHttpHeaders, args: unknown): boolean {
  const repeated = Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"));
  if (repeated.length === 0) return true;
  const values = new Set(scalarsOf(args));
  return repeated.every(([, value]) => values.has(plainValue(value) ?? ""));
}

function scalarsOf(root: unknown): readonly string[] {
  const scalars: string[] = [];
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isRecord(value)) for (const member of Object.values(value)) waiting.push(member);
    else if (["string", "number", "boolean"].includes(typeof value)) scalars.push(String(value));
  }
  return scalars;
}

/** A header's value as it was meant: text that no header can hold is wrapped. */
function plainValue(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const wrapped = WRAPPED.exec(value)?.[1];
  return wrapped === undefined ? value : Buffer.from(wrapped, "base64").toString("utf8");
}
