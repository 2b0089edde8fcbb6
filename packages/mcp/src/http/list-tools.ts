import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Message } from "../gate/link.ts";
import { listRequest } from "../wire/list-request.ts";
import { parseMessage } from "../wire/parse-message.ts";
import { serverAnswer } from "../wire/server-answer.ts";
import { type Header, replacing, valueOf, without } from "./headers.ts";
import { readBody } from "./read-body.ts";
import { createEventSplitter, messageOf } from "./sse-events.ts";
import { responseTo, type Upstream } from "./upstream.ts";

/** The request of a client that the gate's own one is like. */
export interface Likeness {
  readonly path: string;
  readonly headers: readonly Header[];
}

const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** What belongs to the call alone. */
const OF_THE_CALL = ["accept-encoding", "content-length", "last-event-id", "mcp-name"];

/** Asks the server for a page of its tools as the client would, and gives the result. */
export async function listTools(
  upstream: Upstream,
  { path, headers }: Likeness,
  [params, like]: readonly [params: Message, like: Message],
  timeoutMs: number,
): Promise<unknown> {
  const id = `toolcontract-${randomUUID()}`;
  const body = Buffer.from(JSON.stringify(listRequest(id, params, like)));
  const kept = without(headers, OF_THE_CALL).filter(
    ([name]) => !name.toLowerCase().startsWith("mcp-param-"),
  );
  const own: Header[] = [
    ["Content-Length", String(body.length)],
    ["Accept", "application/json, text/event-stream"],
  ];
  if (valueOf(headers, "mcp-method") !== undefined) own.push(["Mcp-Method", "tools/list"]);
  const request = upstream.start({ method: "POST", path, headers: replacing(kept, own) });
  const timer = setTimeout(() => request.destroy(), timeoutMs);
  try {
    request.end(body);
    const answer = serverAnswer(await answerTo(id, await responseTo(request)));
    if (answer !== undefined && "result" in answer) return answer.result;
    throw new Error("The server did not list its tools");
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

async function answerTo(id: string, response: IncomingMessage): Promise<Message> {
  const isStream = /^text\/event-stream/i.test(response.headers["content-type"] ?? "");
  if (!isStream) return parseMessage((await readBody(response, MAX_LIST_BYTES)).bytes) ?? {};
  const splitter = createEventSplitter(MAX_LIST_BYTES);
  for await (const chunk of response) {
    for (const { bytes } of splitter.push(chunk as Buffer)) {
      const message = messageOf(bytes);
      if (message?.["id"] === id) return message;
    }
  }
  return {};
}
