import { type JsonObject, jsonObjectIn } from "../shared/index.ts";
import { ANSWER_TIME, type Connection, resultOrThrow, ServerError } from "./list-tools.ts";

/** Talks to a server over Streamable HTTP. */
export function connectHttp(url: string, headers: Readonly<Record<string, string>>): Connection {
  let session: string | undefined;
  let serial = 0;

  async function post(message: JsonObject): Promise<Response> {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-06-18",
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: AbortSignal.timeout(ANSWER_TIME),
    }).catch((thrown: unknown) => {
      throw new ServerError(reasonNotReached(thrown));
    });
    if (!response.ok) throw new ServerError(`it answered with HTTP ${response.status}`);
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    return response;
  }

  return {
    async request(method, params) {
      serial += 1;
      const id = serial;
      const response = await post({ id, method, params });
      const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
      const answer = isStream
        ? await answerInBody(response, id)
        : jsonObjectIn(await response.text());
      if (!answer) throw new ServerError(`it did not answer ${method}`);
      return resultOrThrow(answer);
    },
    async notify(method) {
      await (await post({ method })).body?.cancel();
    },
    async close() {
      if (session === undefined) return;
      const own = { ...headers, "mcp-session-id": session };
      await fetch(url, {
        method: "DELETE",
        headers: own,
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined);
    },
  };
}

function reasonNotReached(thrown: unknown): string {
  if ((thrown as Error).name === "TimeoutError")
    return `it did not answer in ${ANSWER_TIME / 1_000} seconds`;
  const { code } = Object((thrown as Error).cause) as { readonly code?: unknown };
  return `it cannot be reached${typeof code === "string" ? ` (${code})` : ""}`;
}

/** The response to a request in a stream of events. */
async function answerInBody({ body }: Response, id: number): Promise<JsonObject | undefined> {
  if (!body) return undefined;
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const message = jsonObjectIn(dataOf(event));
      // The stream is cancelled by leaving the loop.
      if (message?.["id"] === id && message["method"] === undefined) return message;
    }
  }
  return jsonObjectIn(dataOf(rest));
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice("data:".length)).join("\n");
}
