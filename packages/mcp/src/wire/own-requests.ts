import { type Message, isRecord } from "./message.ts";

/** Requests of the gate's own that share a way with those of a client. */
export interface OwnRequests {
  /** Sends a request for the tools and waits for its result. */
  readonly list: (params: Message, like: Message) => Promise<unknown>;
  /** Keeps an answer to one of these requests, also a late one; false for every other message. */
  readonly take: (message: Message) => boolean;
  /** Whether an answer is still to come. */
  readonly waiting: () => boolean;
  /** Nothing will be answered any more. */
  readonly close: () => void;
}

type Settle = readonly [resolve: (result: unknown) => void, reject: (reason: Error) => void];

/** Makes the table of own requests; their ids cannot be guessed, so that no client has the same. */
export function createOwnRequests(send: (request: Message) => void): OwnRequests {
  const prefix = `toolcontract-${globalThis.crypto.randomUUID()}-`;
  const open = new Map<string, Settle>();
  let count = 0;
  let closed = false;
  return {
    list: async (params, like) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Error("The way to the server is closed"));
          return;
        }
        count += 1;
        const id = `${prefix}${count}`;
        open.set(id, [resolve, reject]);
        send(listRequest(id, params, like));
      }),
    take(message) {
      const id = message["id"];
      const settle = typeof id === "string" ? open.get(id) : undefined;
      if (typeof id !== "string" || settle === undefined) return false;
      const answer = serverAnswer(message);
      if (answer === undefined) return false;
      open.delete(id);
      if ("result" in answer) settle[0](answer.result);
      else settle[1](new Error("The server refused to list its tools"));
      return true;
    },
    waiting: () => open.size > 0,
    close() {
      closed = true;
      for (const [, reject] of open.values()) reject(new Error("The way to the server is closed"));
      open.clear();
    },
  };
}

/** Builds the gate's own request for the tools, with the `_meta` of the call that needs them. */
export function listRequest(id: string, params: Message, like: Message): Message {
  const meta = metaOf(like);
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/list",
    params: { ...params, ...(meta && { _meta: meta }) },
  };
}

/** Everything that a stateless server wants to know of a request; progress belongs to the call alone. */
function metaOf({ params }: Message): Message | undefined {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  if (!isRecord(meta)) return undefined;
  const { progressToken: _, ...rest } = meta;
  return rest;
}

/** What a JSON-RPC response answers: a result, or an error whose content does not matter here. */
export type ServerAnswer = { readonly result: unknown } | { readonly failed: true };

/** Reads a response; requests and notifications are undefined. */
export function serverAnswer(message: Message): ServerAnswer | undefined {
  if ("method" in message) return undefined;
  if ("result" in message) return { result: message["result"] };
  return "error" in message ? { failed: true } : undefined;
}
