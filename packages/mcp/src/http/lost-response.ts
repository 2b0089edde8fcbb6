import type { ClientRequest, ServerResponse } from "node:http";
import {
  type LostCall,
  lostAnswer,
  lostByStatus,
  outcomeOfLost,
  type Message,
} from "../wire/index.ts";
import { answerFailure, answerMessage } from "./exchange.ts";
import { endInOneWrite } from "./one-write.ts";
import type { OpenCall } from "./open-calls.ts";
import { type ResponseHead, withJson } from "./response-head.ts";
import { mayHaveLeft } from "./upstream.ts";

/** How a request ended before its response began. */
export function lostBefore(
  thrown: unknown,
  sending: ClientRequest,
  response: ServerResponse,
): LostCall {
  const code = codeOfFailure(thrown);
  if (!mayHaveLeft(sending)) return { kind: "not-sent", code: code ?? "no connection" };
  if (response.destroyed) return { kind: "unanswered", how: "client" };
  return { kind: "unanswered", how: "connection", code };
}

/** What is said about a request that runs no tool. */
export function wordsOfRequest(lost: LostCall): string {
  const code = "code" in lost && lost.code !== undefined ? ` (${lost.code})` : "";
  return lost.kind === "not-sent"
    ? `The MCP server could not be reached${code}.`
    : `The connection to the MCP server broke before it answered${code}.`;
}

/** Whether a message is the answer to a request. */
export function isAnswerTo(message: Message | undefined, id: unknown): boolean {
  return message !== undefined && message["id"] === id && !("method" in message);
}

/** The lowest status of a server, or of a gateway before it, that failed. */
const FAILED = 500;
const ACCEPTED = 202;

/** Whether a response is one of a server that failed. */
export function hasFailed({ status }: Pick<ResponseHead, "status">): boolean {
  return status >= FAILED;
}

/** Answers a request whose response did not come. */
export async function answerLost(
  response: ServerResponse,
  call: OpenCall,
  lost: LostCall,
): Promise<void> {
  const other = await call.lose(lost);
  if (other === null || response.destroyed) return;
  if (other) answerMessage({ request: response.req, response }, other);
  else answerFailure(response, 502, outcomeOfLost(lost).words, call.id);
}

/** Answers a call whose response has arrived, and holds no answer to it; false if it is to be relayed as it is. */
export async function answerUnanswered(
  response: ServerResponse,
  call: OpenCall,
  head: Pick<ResponseHead, "status" | "list">,
): Promise<boolean> {
  const { status } = head;
  if (status === ACCEPTED && call.hasSession) return false;
  const lost = lostByStatus(status);
  const other = await call.lose(lost);
  if (other === null) return true;
  if (other) {
    answerMessage({ request: response.req, response }, other);
    return true;
  }
  if (!hasFailed(head)) return false;
  if (response.headersSent) {
    answerFailure(response, status, outcomeOfLost(lost).words, call.id);
    return true;
  }
  // Its headers stay: they say when to come again.
  const body = Buffer.from(JSON.stringify(lostAnswer(call.id, lost)));
  response.writeHead(status, withJson(head.list, body.length) as string[]);
  endInOneWrite(response, body);
  return true;
}

function codeOfFailure(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : undefined;
}
