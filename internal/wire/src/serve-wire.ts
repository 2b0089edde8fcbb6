import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { anthropicMessages } from "./anthropic-messages.ts";
import { openaiChat } from "./openai-chat.ts";
import { eventText } from "./event-text.ts";
import type { Json, WireError, WireForm, WireTurn } from "./turn.ts";

/** What the server answers: a turn of the model, an error, or nothing. */
export type WireReply =
  | (WireTurn & {
      /** Breaks the connection after so many events of the stream, or in the middle of the body. */
      readonly cutAfter?: number;
      /** Ends the body in good order after so many events of the stream. */
      readonly endAfter?: number;
      /** Milliseconds before the answer. */
      readonly wait?: number;
    })
  | (WireError & { readonly headers?: Readonly<Record<string, string>> })
  | "never";

/** A request as it arrived. */
export interface WireRequest {
  readonly api: "openai" | "anthropic";
  readonly headers: IncomingMessage["headers"];
  readonly body: Json;
  /** True once the client has given up before the end of the answer. */
  readonly isAborted: boolean;
}

/** A server on loopback that plays a script. */
export interface WireServer {
  /** For clients of OpenAI: `{ baseURL }`, up to `/chat/completions`. */
  readonly openaiUrl: string;
  /** For clients of Anthropic: the origin, before `/v1/messages`. */
  readonly anthropicUrl: string;
  /** All requests, in the order of their arrival. */
  readonly requests: readonly WireRequest[];
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

/** The replies in order, or what answers a request; `index` is its number, from 0. */
export type WireScript =
  | readonly WireReply[]
  | ((request: WireRequest, index: number) => WireReply);

const APIS = {
  "/v1/chat/completions": { api: "openai", form: openaiChat },
  "/v1/messages": { api: "anthropic", form: anthropicMessages },
} as const;

/** Starts a server that speaks the wires of OpenAI and Anthropic, streaming or not, as each request asks. */
export async function serveWire(script: WireScript): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? "/", "http://localhost").pathname;
    const route = path in APIS ? APIS[path as keyof typeof APIS] : undefined;
    if (route === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { api, form } = route;
    const body = (await json(incoming)) as Json;
    const request = { api, headers: incoming.headers, body, isAborted: false };
    const index = requests.push(request) - 1;
    const reply = typeof script === "function" ? script(request, index) : script[index];
    response.once("close", () => {
      // A connection that the script breaks was not given up by the client.
      request.isAborted = !response.writableFinished && !isCut(reply);
    });
    const id = `reply_${index}`;
    await send(reply ?? { text: "end of the script" }, { id, body }, form, response);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openaiUrl: `${origin}/v1`,
    anthropicUrl: origin,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function isCut(reply: WireReply | undefined): boolean {
  return typeof reply === "object" && "cutAfter" in reply;
}

async function send(
  reply: WireReply,
  { id, body }: { readonly id: string; readonly body: Json },
  form: WireForm,
  response: ServerResponse,
): Promise<void> {
  if (reply === "never") return;
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(form.error(reply)));
    return;
  }
  if (reply.wait !== undefined) await wait(reply.wait);
  const turn = { id, model: String(body["model"]), ...reply };
  const isStream = body["stream"] === true;
  response.writeHead(200, {
    "content-type": isStream ? "text/event-stream" : "application/json",
  });
  const parts = isStream ? streamOf(turn, body, form) : halvesOf(JSON.stringify(form.body(turn)));
  const sent = parts.slice(0, reply.cutAfter ?? (isStream ? reply.endAfter : undefined));
  for (const part of sent) await write(response, part);
  if (reply.cutAfter === undefined) response.end();
  else response.destroy();
}

/** The events as text; OpenAI's has an end of its own, and usage only if it was asked for. */
function streamOf(turn: WireTurn, request: Json, form: WireForm): readonly string[] {
  if (form !== openaiChat) return form.events(turn).map(eventText);
  const { include_usage: hasUsage } = (request["stream_options"] ?? {}) as Json;
  const events = form.events(hasUsage === true ? turn : { ...turn, usage: "none" });
  return [...events.map(eventText), "data: [DONE]\n\n"];
}

function halvesOf(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** Waits until the part has left, so that a break comes after it. */
async function write(response: ServerResponse, part: string): Promise<void> {
  await new Promise<void>((resolve) => response.write(part, () => resolve()));
}
