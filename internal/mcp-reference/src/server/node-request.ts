import type { IncomingMessage } from "node:http";

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a request names this machine, in its Host and, if it has one, its Origin. */
export function isLocalRequest({ headers }: IncomingMessage): boolean {
  const origins = [`http://${headers.host ?? ""}`, headers.origin ?? "http://localhost"];
  return origins.every((origin) => URL.canParse(origin) && LOCAL.has(new URL(origin).hostname));
}

/** The JSON body of a request. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}
