import { randomUUID } from "node:crypto";
import type { ClientRequest, IncomingMessage } from "node:http";
import {
  createDataReader,
  createEventSplitter,
  createListReader,
  errorOf,
  type ListReader,
  type Message,
  messageInEvent,
  type OwnMethod,
  ownRequest,
  parseMessage,
  tooLargeFor,
} from "../wire/index.ts";
import { decodedResponse } from "./codings.ts";
import { type Header, lengthOf, replacing, headerValue, without } from "./headers.ts";
import { readBody } from "./read-body.ts";
import { readHead } from "./response-head.ts";
import { abort, responseTo, type Upstream } from "./upstream.ts";

/** A client's request as it is sent to the server; the gate's own requests copy it. */
export interface Template {
  readonly path: string;
  readonly headers: readonly Header[];
}

/** Headers that belong to the call alone. */
const OF_THE_CALL = ["accept-encoding", "last-event-id", "mcp-name"];
const ACCEPT: Header = ["Accept", "application/json, text/event-stream"];

/** A request of the gate, and the call that it is made for. */
export interface OwnRequest {
  readonly method: OwnMethod;
  readonly params: Message;
  readonly like: Message;
}

/** Makes a request in the client's name, and returns the result. */
export async function askServer(
  upstream: Upstream,
  { path, headers }: Template,
  { method, params, like }: OwnRequest,
  timeoutMs: number,
): Promise<unknown> {
  const id = `toolcontract-${randomUUID()}`;
  const body = Buffer.from(JSON.stringify(ownRequest(id, method, params, like)));
  const own: Header[] = [ACCEPT];
  if (headerValue(headers, "mcp-method") !== undefined) {
    own.push(["Mcp-Method", method]);
    if (typeof params["name"] === "string") own.push(["Mcp-Name", encoded(params["name"])]);
  }
  const send = (): ClientRequest =>
    upstream
      .start({
        method: "POST",
        path,
        headers: replacing(keptOf(headers), own),
        isInspected: true,
        framing: lengthOf(body),
      })
      .end(body);
  let request = send();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    abort(request);
  }, timeoutMs);
  try {
    const { maxAnswerBytes: maxBytes } = upstream;
    const isList = method === "tools/list";
    const maxWhole = isList ? Math.min(SHORT, maxBytes) : maxBytes;
    const answering = { id, isList, maxWhole, maxBytes };
    const response = await responseTo(request).catch(async (thrown: unknown) => {
      // The server closed an idle connection at that moment.
      if (!isList || isLate || !request.reusedSocket) throw thrown;
      request = send();
      return responseTo(request);
    });
    const answer = await answerTo(response, answering);
    if (answer === "too large") throw tooLargeFor(method);
    if ("result" in answer) return answer["result"];
    throw errorOf(method, answer["error"]);
  } finally {
    clearTimeout(timer);
    abort(request);
  }
}

/** How long a server may take for a notification. */
const NOTIFY_TIMEOUT_MS = 10_000;

/** Sends a notification in the client's name; a failure does no harm. */
export function notifyServer(
  upstream: Upstream,
  { path, headers }: Template,
  message: Message,
): void {
  const body = Buffer.from(JSON.stringify(message));
  const request = upstream.start({
    method: "POST",
    path,
    headers: replacing(keptOf(headers), [ACCEPT]),
    framing: lengthOf(body),
  });
  const timer = setTimeout(abort, NOTIFY_TIMEOUT_MS, request);
  request.once("close", () => clearTimeout(timer));
  request.once("response", (response) => {
    response.resume();
  });
  request.end(body);
}

/** The client's headers without those of the call. */
function keptOf(headers: readonly Header[]): readonly Header[] {
  return without(headers, OF_THE_CALL).filter(
    ([name]) => !name.toLowerCase().startsWith("mcp-param-"),
  );
}

/** A header value: characters that a header cannot hold are sent as base64. */
function encoded(value: string): string {
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

/** Longer lists are read as they arrive. */
const SHORT = 1024 * 1024;

/** A longer list of tools, read as it arrives. */
interface LongList extends ListReader {
  readonly isOver: () => boolean;
}

/** Creates the reader of a list; `reads` finds it in the bytes of an event. */
function createLongList(maxBytes: number, reads: typeof createDataReader = (put) => put): LongList {
  const reader = createListReader();
  const take = reads(reader.push);
  let size = 0;
  const isOver = (): boolean => size > maxBytes;
  return {
    push(bytes) {
      size += bytes.length;
      if (!isOver()) take(bytes);
    },
    isOver,
    end: () => (isOver() ? undefined : reader.end()),
  };
}

interface Answering {
  readonly id: string;
  /** Whether a long answer is read as it arrives. */
  readonly isList: boolean;
  /** Up to this length, an answer is read as a whole. */
  readonly maxWhole: number;
  readonly maxBytes: number;
}

/** The server answers in a coding that cannot be read. */
class UnknownCoding extends Error {}

async function answerTo(
  response: IncomingMessage,
  answering: Answering,
): Promise<Message | "too large"> {
  const readable = decodedResponse(response);
  const { form, isCoded } = readHead(readable);
  if (isCoded) throw new UnknownCoding();
  return form === "events"
    ? answerInEvents(readable, answering)
    : answerInBody(readable, answering);
}

async function answerInBody(
  response: IncomingMessage,
  { isList, maxWhole, maxBytes }: Answering,
): Promise<Message | "too large"> {
  const { bytes, whole } = await readBody(response, maxWhole);
  if (whole) return parseMessage(bytes) ?? {};
  if (!isList) return "too large";
  const list = createLongList(maxBytes);
  list.push(bytes);
  for await (const chunk of response) {
    list.push(chunk as Buffer);
    if (list.isOver()) return "too large";
  }
  return list.end() ?? {};
}

async function answerInEvents(
  response: IncomingMessage,
  { id, isList, maxWhole, maxBytes }: Answering,
): Promise<Message | "too large"> {
  const splitter = createEventSplitter(maxWhole);
  let list: LongList | undefined;
  let isCut = false;
  for await (const chunk of response) {
    for (const { bytes, whole, ends } of splitter.push(chunk as Buffer)) {
      if (!whole) {
        if (isList) list ??= createLongList(maxBytes, createDataReader);
        list?.push(bytes);
      }
      if (!ends) continue;
      const message = whole ? messageInEvent(bytes) : list?.end();
      list = undefined;
      isCut ||= !whole && message === undefined;
      if (message?.["id"] === id) return message;
    }
  }
  return isCut ? "too large" : {};
}
