import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Header } from "./headers.ts";

/**
 * The header that tells the server where a forwarded body ends; undefined where the client's request has no body.
 *
 * @remarks Node ends a body without one by itself only for some methods. Where it does not, the server reads the body as
 * the next request on the connection, which nobody has judged.
 */
export function framingOf(request: IncomingMessage, body: Buffer | Readable): Header | undefined {
  if (Buffer.isBuffer(body)) return ["Content-Length", String(body.length)];
  const { "transfer-encoding": coding, "content-length": length } = request.headers;
  if (coding !== undefined) return ["Transfer-Encoding", "chunked"];
  return length === undefined ? undefined : ["Content-Length", length];
}
