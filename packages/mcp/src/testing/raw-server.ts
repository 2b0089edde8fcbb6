import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A server on TCP that answers with any bytes. */
export interface RawServer {
  readonly url: string;
  /** The headers with which a request asks for an answer, a character for each byte. */
  readonly asking: (answer: string, ending: Ending) => Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** What becomes of the connection after the answer's last byte. */
export type Ending = "end" | "reset" | "stay";

/** What a client gets through the proxy; undefined if its connection broke off before or in the response. */
export type Got =
  | { readonly status: number; readonly text: string; readonly body: string }
  | undefined;

interface Answer {
  readonly bytes: Buffer;
  readonly ending: Ending;
}

/** The header with the number of the answer that a request wants. */
const WANTED = "x-answer";
const NOTHING: Answer = { bytes: Buffer.alloc(0), ending: "end" };

/** An answer with a length. */
export function plainAnswer(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Starts a server that answers a request for the tools with `tools`, and any other as it asks. */
export async function startRawServer(tools: readonly object[] = []): Promise<RawServer> {
  const answers: Answer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const end = endOfRequest(received);
      if (end === undefined) return;
      const request = received.slice(0, end);
      received = received.slice(end);
      if (request.includes('"tools/list"')) socket.write(toolList(request, tools));
      else answer(socket, answers[Number(headerIn(request, WANTED))]);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asking: (text, ending) => {
      const number = answers.push({ bytes: Buffer.from(text, "latin1"), ending }) - 1;
      return { [WANTED]: String(number) };
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function endOfRequest(received: string): number | undefined {
  const head = received.indexOf("\r\n\r\n") + 4;
  if (head < 4) return undefined;
  const end = head + Number(headerIn(received, "content-length") ?? 0);
  return received.length < end ? undefined : end;
}

function headerIn(request: string, name: string): string | undefined {
  return new RegExp(String.raw`^${name}: (.*)\r$`, "im").exec(request)?.[1];
}

function toolList(request: string, tools: readonly object[]): string {
  const { id } = JSON.parse(request.slice(request.indexOf("\r\n\r\n"))) as { readonly id: unknown };
  return plainAnswer(JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }));
}

function answer(socket: Socket, { bytes, ending }: Answer = NOTHING): void {
  socket.write(bytes, () => {
    if (ending === "end") socket.end();
    else if (ending === "reset") socket.resetAndDestroy();
  });
}

/** Sends a request on a connection of its own. */
export async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  message?: object,
): Promise<Got> {
  const sent = httpRequest(url, {
    agent: false,
    method: message === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json, text/event-stream",
      ...(message !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
  });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).on("error", reject).once("close", reject);
  });
  sent.end(message === undefined ? undefined : JSON.stringify(message));
  try {
    const response = await responded;
    const body = Buffer.concat((await response.toArray()) as Buffer[]).toString("latin1");
    return { status: response.statusCode ?? 0, text: response.statusMessage ?? "", body };
  } catch {
    return undefined;
  }
}
