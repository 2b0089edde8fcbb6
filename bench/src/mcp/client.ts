import type { ChildProcess } from "node:child_process";
import { Agent, type IncomingMessage, request } from "node:http";

/** A minimal MCP client, so that the client itself is not what is measured. */
export interface McpClient {
  /** Sends a request and returns the raw response. */
  request(method: string, params: object): Promise<string>;
  notify(method: string): Promise<void>;
}

/** Initializes the session and lists the tools. */
export async function begin(client: McpClient): Promise<void> {
  await client.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  await client.notify("notifications/initialized");
  await client.request("tools/list", {});
}

/** Calls the server's tool, validly or not. */
export async function callSum(client: McpClient, kind: CallKind): Promise<void> {
  const answer = await client.request("tools/call", { name: "sum", arguments: ARGUMENTS[kind] });
  if (answer.includes('"isError":true') !== (kind === "bad")) {
    throw new Error(`A ${kind} call was answered with ${answer.slice(0, 200)}`);
  }
}

/** Whether the call is valid. */
export type CallKind = "good" | "bad";

const ARGUMENTS: Readonly<Record<CallKind, object>> = {
  good: { a: 1, b: 2 },
  bad: { a: "one" },
};

/** Creates a client on the streams of a child process. */
export function stdioClient({ stdin, stdout }: ChildProcess): McpClient {
  if (!stdin || !stdout) throw new Error("The child has no pipes.");
  const waiting = new Map<number, (line: string) => void>();
  let rest = "";
  let serial = 0;
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const id = Number(/"id":(\d+)/.exec(line)?.[1]);
      waiting.get(id)?.(line);
      waiting.delete(id);
    }
  });
  let pending = "";
  // What is sent in one turn of the event loop leaves in one write, so that many at once do not cost many.
  const write = (message: object): void => {
    if (pending === "") {
      queueMicrotask(() => {
        stdin.write(pending);
        pending = "";
      });
    }
    pending += `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
  };
  return {
    async request(method, params) {
      serial += 1;
      const id = serial;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        write({ id, method, params });
      });
    },
    async notify(method) {
      write({ method });
    },
  };
}

/** Creates a client of a session on Streamable HTTP. */
export function httpClient(port: number): McpClient & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  let session: string | undefined;

  async function post(message: object): Promise<string> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      accept: "application/json, text/event-stream",
      ...(session !== undefined && {
        "mcp-session-id": session,
        "mcp-protocol-version": "2025-06-18",
      }),
    };
    return new Promise((resolve, reject) => {
      const options = { agent, port, host: "127.0.0.1", path: "/mcp", method: "POST", headers };
      request(options, (response) => {
        const given = response.headers["mcp-session-id"];
        if (typeof given === "string") session = given;
        readText(response).then(resolve, reject);
      })
        .on("error", reject)
        .end(body);
    });
  }
  return { ...clientOn(post), close: () => agent.destroy() };
}

/** A client that posts each message, and numbers its requests. */
export function clientOn(post: (message: object) => Promise<string>): McpClient {
  let serial = 0;
  return {
    async request(method, params) {
      serial += 1;
      return post({ id: serial, method, params });
    },
    async notify(method) {
      await post({ method });
    },
  };
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${response.statusCode}: ${text}`);
  return text;
}
