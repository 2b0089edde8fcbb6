import { type Message, metaOf } from "./message.ts";

/** The gate's own `tools/list` requests on a connection that it shares with a client. */
export interface OwnRequests {
  /** Requests a page of the tools and waits for the result. */
  readonly list: (params: Message, like: Message) => Promise<unknown>;
  /** Consumes the response to one of these requests, however late; false for every other message. */
  readonly take: (message: Message) => boolean;
  /** Whether the response to one of these requests has this id. */
  readonly has: (id: unknown) => boolean;
  /** Rejects a request whose response is too long to be read. */
  readonly tooLarge: (id: unknown) => void;
  /** Whether a response is outstanding. */
  readonly waiting: () => boolean;
  /** Rejects what is outstanding; no more responses will arrive. */
  readonly close: () => void;
}

/** The server's list of tools is over the size limit. */
class ToolListTooLarge extends Error {}

type Settle = readonly [resolve: (result: unknown) => void, reject: (reason: Error) => void];

/** Creates the table of own requests. Their ids are unguessable, so that they never collide with a client's. */
export function createOwnRequests(send: (request: Message) => void): OwnRequests {
  const prefix = `toolcontract-${globalThis.crypto.randomUUID()}-`;
  const open = new Map<string, Settle>();
  let count = 0;
  let closed = false;
  return {
    list: async (params, like) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Error("The connection to the server is closed"));
          return;
        }
        count += 1;
        const id = `${prefix}${count}`;
        open.set(id, [resolve, reject]);
        send(listRequest(id, params, like));
      }),
    take(message) {
      const { id } = message;
      const settle = typeof id === "string" ? open.get(id) : undefined;
      if (typeof id !== "string" || settle === undefined || "method" in message) return false;
      if (!("result" in message || "error" in message)) return false;
      open.delete(id);
      if ("result" in message) settle[0](message["result"]);
      else settle[1](new Error("The server refused to list its tools"));
      return true;
    },
    has: (id) => typeof id === "string" && open.has(id),
    tooLarge(id) {
      if (typeof id !== "string") return;
      open.get(id)?.[1](new ToolListTooLarge());
      open.delete(id);
    },
    waiting: () => open.size > 0,
    close() {
      closed = true;
      for (const [, reject] of open.values()) {
        reject(new Error("The connection to the server is closed"));
      }
      open.clear();
    },
  };
}

/** Builds the gate's own `tools/list` request with the `_meta` of the call that needs it. */
export function listRequest(id: string, params: Message, like: Message): Message {
  const meta = metaOf(like);
  if (meta === undefined) return { jsonrpc: "2.0", id, method: "tools/list", params };
  // Stateless servers read the client from `_meta`; the progress token belongs to the call.
  const { progressToken: _, ...rest } = meta;
  return { jsonrpc: "2.0", id, method: "tools/list", params: { ...params, _meta: rest } };
}
