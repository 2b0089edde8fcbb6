import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createGate, type Gate, type GateOptions } from "../gate/index.ts";
import {
  createUpstream,
  listen,
  type ListeningProxy,
  type ProxyOptions,
  type Upstream,
} from "../http/index.ts";
import { isRecord } from "../wire/index.ts";

/** What a scripted server saw of one request. */
export interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
  /** The message in the body, if there is one. */
  readonly message: Readonly<Record<string, unknown>>;
}

/** A proxy in front of a scripted server. */
export interface HttpPair {
  /** Where clients find the server. */
  readonly url: string;
  /** All requests that reached the server. */
  readonly seen: Seen[];
  /** How many requests of a method reached it. */
  readonly count: (method: string) => number;
  readonly gate: Gate;
  /** Posts a message as a client does. */
  readonly post: (message: object, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

type Script = (seen: Seen, response: ServerResponse) => void;

const open: { close: () => unknown }[] = [];

/** A tool of two integers. */
export const ADD: object = {
  name: "add",
  inputSchema: {
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "integer" }, b: { type: "integer" } },
  },
};

/** Answers as a server with the tool `add` and JSON responses. */
export const serveAdd: Script = ({ message }, response) => {
  const result =
    message["method"] === "tools/list"
      ? { tools: [ADD] }
      : { content: [{ type: "text", text: "ran" }] };
  sendJson(response, { jsonrpc: "2.0", id: message["id"], result });
};

/** Sends a message as a JSON response. */
export function sendJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(message));
}

/** Starts a scripted server and a proxy in front of it. */
export async function startPair(
  serve: Script,
  { maxAnswerBytes, ...options }: Partial<ProxyOptions & Pick<Upstream, "maxAnswerBytes">> = {},
  gateOptions: GateOptions = {},
): Promise<HttpPair> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const one = { request, body, message: parse(body) };
      seen.push(one);
      serve(one, response);
    });
  });
  const port = await listening(server);
  const gate = createGate(
    "contract" in gateOptions ? gateOptions : { logger: () => undefined, ...gateOptions },
  );
  const upstream = createUpstream(new URL(`http://127.0.0.1:${port}/mcp`), maxAnswerBytes);
  const proxy = await startOn(upstream.url, { gate, upstream, ...options });
  const url = `http://127.0.0.1:${proxy.port}/mcp`;
  return {
    url,
    seen,
    gate,
    count: (method) => seen.filter(({ message }) => message["method"] === method).length,
    post: async (message, headers = {}) =>
      fetch(url, {
        method: "POST",
        body: JSON.stringify(message),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
  };
}

/** Starts a proxy in front of a running server. */
export async function startOn(
  url: URL,
  options: Partial<ProxyOptions> = {},
): Promise<ListeningProxy> {
  const proxy = await listen(
    { host: "127.0.0.1", port: 0 },
    {
      gate: createGate({ logger: () => undefined }),
      upstream: createUpstream(url),
      endpoint: "/mcp",
      headers: [],
      allowed: { host: "127.0.0.1", hosts: [], origins: [] },
      attemptKey: "auto",
      maxMessageBytes: 1_000_000,
      listTimeoutMs: 2_000,
      ...options,
    },
  );
  open.push(proxy);
  return proxy;
}

/** Closes what a test has opened. */
export async function closePairs(): Promise<void> {
  await Promise.all(open.splice(0).map(async ({ close }) => close()));
}

async function listening(server: Server): Promise<number> {
  open.push({
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
