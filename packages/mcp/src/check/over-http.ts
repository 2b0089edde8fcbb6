import type { Header } from "../http/index.ts";
import {
  createEventSplitter,
  isRecord,
  MAX_LIST_BYTES,
  type Message,
  messageInEvent,
  parseMessage,
} from "../wire/index.ts";
import { type CheckConnection, Unreached } from "./connection.ts";

/** Connects to a server on Streamable HTTP. */
export function connectHttp(
  url: URL,
  headers: readonly Header[],
  timeoutMs: number,
): CheckConnection {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  let session: string | null = null;
  let version: string | undefined;
  let count = 0;

  function headersOf(method: string): Headers {
    return new Headers([
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ["Content-Type", "application/json"],
      ["Accept", "application/json, text/event-stream"],
      ["Mcp-Method", method],
      ...(session === null ? [] : [["Mcp-Session-Id", session] as [string, string]]),
      ...(version === undefined ? [] : [["MCP-Protocol-Version", version] as [string, string]]),
    ]);
  }

  async function post(method: string, message: Message): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: "2.0", method, ...message });
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await fetch(address, { method: "POST", headers: headersOf(method), body, signal });
    } catch (thrown) {
      throw new Unreached(unreachedReason(thrown, timeoutMs));
    }
  }
  return {
    async request(method, params) {
      count += 1;
      const response = await post(method, { id: count, params });
      session = response.headers.get("mcp-session-id") ?? session;
      if (response.status === 401 || response.status === 403) {
        throw new Unreached(
          `it answered with status ${response.status}: pass what it wants with --header`,
        );
      }
      const answer = await answerIn(response, count);
      if (answer === undefined)
        throw new Unreached(`it answered ${method} with status ${response.status} and no message`);
      return answer;
    },
    async notify(method) {
      await (await post(method, {})).body?.cancel();
    },
    agreed: (chosen) => (version = chosen),
    async close() {
      if (session === null) return;
      const signal = AbortSignal.timeout(timeoutMs);
      const ended = fetch(address, { method: "DELETE", headers: headersOf(""), signal });
      await ended.then(async ({ body }) => body?.cancel()).catch(() => undefined);
    },
  };
}

async function answerIn(response: Response, id: number): Promise<Message | undefined> {
  const isStream = /^text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  if (!isStream) return parseMessage(Buffer.from(await response.arrayBuffer()));
  const splitter = createEventSplitter(MAX_LIST_BYTES);
  for await (const chunk of response.body ?? []) {
    for (const { bytes } of splitter.push(Buffer.from(chunk))) {
      const message = messageInEvent(bytes);
      if (message?.["id"] === id) return message;
    }
  }
  return undefined;
}

function unreachedReason(thrown: unknown, timeoutMs: number): string {
  if (thrown instanceof DOMException) return `it did not answer within ${timeoutMs} ms`;
  const { cause } = Object(thrown) as { readonly cause?: unknown };
  return isRecord(cause) || cause instanceof Error
    ? String((cause as { readonly code?: unknown }).code)
    : "no connection";
}
