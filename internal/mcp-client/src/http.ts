import { lateError, ServerError } from "./errors.ts";
import { createEventSplitter, messageInEvent } from "./framing.ts";
import { type Message, parseMessage } from "./message.ts";
import type { Transport } from "./transport.ts";

/** The longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** How long a server may take to end a session, in milliseconds. */
const GOODBYE_MS = 1_000;

/** Talks to a server over Streamable HTTP. */
export function overHttp(
  url: URL,
  headers: readonly (readonly [name: string, value: string])[],
  answerMs: number,
): Transport {
  const address = new URL(url);
  // fetch refuses credentials in a URL; whoever wants to send them passes a header.
  address.username = "";
  address.password = "";
  let session: string | undefined;
  let version: string | undefined;
  let count = 0;

  function headersFor(method: string): Headers {
    const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
    all.set("Content-Type", "application/json");
    all.set("Accept", "application/json, text/event-stream");
    if (method !== "") all.set("Mcp-Method", method);
    if (session !== undefined) all.set("Mcp-Session-Id", session);
    if (version !== undefined) all.set("MCP-Protocol-Version", version);
    return all;
  }

  async function post<T>(
    method: string,
    message: Message,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: headersFor(method),
        body: JSON.stringify({ jsonrpc: "2.0", method, ...message }),
        // A redirect to another host would take the headers there, and the keys in them.
        redirect: "manual",
        signal: AbortSignal.timeout(answerMs),
      });
      refuseStatus(response);
      return await read(response);
    } catch (thrown) {
      if (thrown instanceof ServerError) throw thrown;
      if (thrown instanceof DOMException) throw lateError(method, answerMs);
      throw new ServerError(reasonOf(thrown));
    }
  }

  return {
    async request(method, params) {
      count += 1;
      const id = count;
      return post(method, { id, params }, async (response) => {
        session ??= response.headers.get("mcp-session-id") ?? undefined;
        const answer = await answerIn(response, id);
        if (answer !== undefined) return answer;
        throw new ServerError(
          `it answered ${method} with status ${response.status} and no message`,
        );
      });
    },
    notify: async (method) => post(method, {}, discard),
    agreed: (chosen) => (version = chosen),
    async close() {
      if (session === undefined) return;
      const signal = AbortSignal.timeout(GOODBYE_MS);
      const request = {
        method: "DELETE",
        headers: headersFor(""),
        redirect: "manual",
        signal,
      } as const;
      await fetch(address, request)
        .then(discard)
        .catch(() => undefined);
    },
  };
}

async function discard({ body }: Response): Promise<void> {
  await body?.cancel();
}

/** Throws for a status after which nothing of the answer helps. */
function refuseStatus({ status, headers }: Response): void {
  if (status === 401 || status === 403) {
    throw new ServerError(`it answered with status ${status}: pass what it wants with --header`);
  }
  if (status < 300 || status >= 400) return;
  const place = headers.get("location") ?? "nowhere";
  throw new ServerError(
    `it redirects to ${place.slice(0, 200)}, which is not followed: pass that address`,
  );
}

/** The response to a request: the body, or one event of it. */
async function answerIn(response: Response, id: number): Promise<Message | undefined> {
  const isStream = /^text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  if (!isStream) return parseMessage(Buffer.from(await response.arrayBuffer()));
  const splitter = createEventSplitter(MAX_ANSWER_BYTES);
  const isAnswer = (message: Message | undefined): message is Message =>
    message?.["id"] === id && message["method"] === undefined;
  for await (const chunk of response.body ?? []) {
    // Leaving the loop cancels the stream.
    const answer = splitter
      .push(Buffer.from(chunk))
      .map(({ bytes }) => messageInEvent(bytes))
      .find(isAnswer);
    if (answer) return answer;
  }
  return splitter
    .end()
    .map(({ bytes }) => messageInEvent(bytes))
    .find(isAnswer);
}

function reasonOf(thrown: unknown): string {
  const { code } = Object(Object(thrown).cause) as { readonly code?: unknown };
  return typeof code === "string" ? `no connection (${code})` : "no connection";
}
