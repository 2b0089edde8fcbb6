import {
  answeredId,
  isRecord,
  type Message,
  readRequestId,
  type RequestId,
} from "../wire/index.ts";

/** A tool call without an answer. */
interface OpenCall {
  readonly id: RequestId;
  /** Whether the server has it; if not, the gate still decides on it. */
  readonly isSent: boolean;
}

/** The client's requests that have no answer yet. */
export interface OpenRequests {
  /** Notes a message of the client: a request, or the end of one. */
  readonly sent: (message: Message) => void;
  /** Notes that a request has its answer, or gets none. */
  readonly settled: (request: Message) => void;
  /** Call with every line that the server writes. */
  readonly heard: (line: Buffer) => void;
  /** Call when the server has answered a request. */
  readonly answered: (id: RequestId) => void;
  readonly count: () => number;
  /** Notes that a request has gone to the server. */
  readonly forwarded: (request: Message) => void;
  /** The tool calls among them. */
  readonly calls: () => readonly OpenCall[];
}

/** A stream of news, which ends with the connection. */
const ENDLESS = "subscriptions/listen";
/** A server that answers nothing must not fill the memory. */
const MAX_OPEN = 10_000;

/** Creates the register; `onSettled` is called when there is one request less. */
export function createOpenRequests(onSettled: () => void): OpenRequests {
  const open = new Map<RequestId, { readonly method: string; isSent: boolean }>();

  function add(id: RequestId, method: string): void {
    const [oldest] = open.keys();
    if (open.size >= MAX_OPEN && oldest !== undefined) open.delete(oldest);
    open.set(id, { method, isSent: false });
  }
  function remove(id: RequestId | undefined): void {
    if (id !== undefined && open.delete(id)) onSettled();
  }
  return {
    sent({ id, method, params }) {
      const read = readRequestId(id);
      if (method === "notifications/cancelled" && isRecord(params)) {
        remove(readRequestId(params["requestId"]));
      } else if (typeof method === "string" && method !== ENDLESS && read !== undefined) {
        add(read, method);
      }
    },
    settled: ({ id }) => {
      remove(readRequestId(id));
    },
    heard(line) {
      if (open.size > 0) remove(answeredId(line));
    },
    answered: remove,
    count: () => open.size,
    forwarded({ id }) {
      const read = readRequestId(id);
      const request = read === undefined ? undefined : open.get(read);
      if (request) request.isSent = true;
    },
    calls: () =>
      [...open].flatMap(([id, { method, isSent }]) =>
        method === "tools/call" ? [{ id, isSent }] : [],
      ),
  };
}
