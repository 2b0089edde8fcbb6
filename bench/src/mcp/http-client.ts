import { Agent, type IncomingMessage, request } from "node:http";
import type { McpClient } from "./client.ts";

/** A client of a session on Streamable HTTP. */
export function httpClient(port: number): McpClient & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  let session: string | undefined;
  let serial = 0;

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
  return {
    async request(method, params) {
      serial += 1;
      return post({ id: serial, method, params });
    },
    async notify(method) {
      await post({ method });
    },
    close: () => agent.destroy(),
  };
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${response.statusCode}: ${text}`);
  return text;
}
