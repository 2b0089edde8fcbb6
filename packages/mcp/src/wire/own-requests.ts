import { isRecord, type Message } from "@toolcontract/mcp-client/wire";
import { metaOf } from "./message.ts";

/** The gate's own requests on a connection that it shares with a client. */
export interface OwnRequests {
  /** Requests a page of the tools and waits for the result. */
  readonly list: (params: Message, like: Message) => Promise<unknown>;
  /** Calls a tool and waits for the result; rejects with an `UpstreamError` if the server answers with an error. */
  readonly call: (params: Message, like: Message) => Promise<unknown>;
  /** Asks the person at a client and waits for the answer; no longer than until `signal` is aborted. */
  readonly elicit: (params: Message, signal: AbortSignal) => Promise<unknown>;
  /** The id of the client's request that one of these requests was made for; undefined for any other id. */
  readonly originOf: (id: unknown) => unknown;
  /** Consumes the response to one of these requests, however late; false for every other message. */
  readonly take: (message: Message) => boolean;
  /** What the response with this id answers; undefined for any other id. */
  readonly methodOf: (id: unknown) => OwnMethod | undefined;
  /** Rejects a request whose response is too long to be read. */
  readonly tooLarge: (id: unknown) => void;
  /** Whether a response is outstanding. */
  readonly waiting: () => boolean;
  /** Rejects what is outstanding; no more responses will arrive. */
  readonly close: () => void;
}

/** The server's list of tools is over the size limit. */
class ToolListTooLarge extends Error {}

/** The result of a call is over the size limit. */
class ResultTooLarge extends Error {}

/** What a request of the gate fails with if its response is over the size limit. */
export function tooLargeFor(method: OwnMethod): Error {
  return method === "tools/list" ? new ToolListTooLarge() : new ResultTooLarge();
}

/** An error response of the server. */
export class UpstreamError extends Error {
  override readonly name: string = "UpstreamError";
  /** The error's JSON-RPC code. */
  readonly code: unknown;

  constructor({ code, message }: Message) {
    super(typeof message === "string" ? message : "The server answered with an error");
    this.code = code;
  }
}

/** A request that waits for its response. */
interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly method: OwnMethod;
  /** The id of the client's request that it was made for. */
  readonly origin: unknown;
}

/** A longer list of tools is not read. */
export const MAX_LIST_BYTES: number = 64 * 1024 * 1024;

/** A request that the gate itself makes to a server or a client. */
export type OwnMethod = "tools/list" | "tools/call" | "elicitation/create";

function cancelled(): Error {
  return new Error("The call was cancelled");
}

/** Creates the table of own requests. Their ids are unguessable, so that they never collide with a client's. */
export function createOwnRequests(send: (request: Message) => void): OwnRequests {
  const prefix = `toolcontract-${globalThis.crypto.randomUUID()}-`;
  const open = new Map<string, Waiting>();
  let count = 0;
  let closed = false;
  const ask = async (
    method: OwnMethod,
    params: Message,
    like: Message,
    signal?: AbortSignal,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (closed) {
        reject(new Error("The connection to the server is closed"));
        return;
      }
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      count += 1;
      const id = `${prefix}${count}`;
      open.set(id, { resolve, reject, method, origin: like["id"] });
      signal?.addEventListener("abort", () => {
        open.delete(id);
        reject(cancelled());
      });
      send(ownRequest(id, method, params, like));
    });
  return {
    list: async (params, like) => ask("tools/list", params, like),
    call: async (params, like) => ask("tools/call", params, like),
    elicit: async (params, signal) => ask("elicitation/create", params, {}, signal),
    originOf: (id) => (typeof id === "string" ? open.get(id)?.origin : undefined),
    take(message) {
      const { id } = message;
      const waiting = typeof id === "string" ? open.get(id) : undefined;
      if (typeof id !== "string" || waiting === undefined || "method" in message) return false;
      if (!("result" in message || "error" in message)) return false;
      open.delete(id);
      if ("result" in message) waiting.resolve(message["result"]);
      else waiting.reject(errorOf(waiting.method, message["error"]));
      return true;
    },
    methodOf: (id) => (typeof id === "string" ? open.get(id)?.method : undefined),
    tooLarge(id) {
      if (typeof id !== "string") return;
      const waiting = open.get(id);
      waiting?.reject(tooLargeFor(waiting.method));
      open.delete(id);
    },
    waiting: () => open.size > 0,
    close() {
      closed = true;
      for (const { reject } of open.values()) {
        reject(new Error("The connection to the server is closed"));
      }
      open.clear();
    },
  };
}

/** What an error response to a request of the gate is reported as. */
export function errorOf(method: OwnMethod, error: unknown): Error {
  if (method === "tools/list") return new Error("The server refused to list its tools");
  return new UpstreamError(isRecord(error) ? error : {});
}

/** Builds a request of the gate with the `_meta` of the call that needs it. */
export function ownRequest(id: string, method: OwnMethod, params: Message, like: Message): Message {
  const meta = metaOf(like);
  if (meta === undefined) return { jsonrpc: "2.0", id, method, params };
  // Stateless servers read the client from `_meta`; the progress token belongs to the call.
  const { progressToken: _, ...rest } = meta;
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: rest } };
}
