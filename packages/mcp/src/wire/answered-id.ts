import { parseMessage } from "@toolcontract/mcp-client/wire";
import { readRequestId, type RequestId } from "./message.ts";

// Most servers write the id of a response first or last, so that a long result need not be parsed to find it.
const ID = String.raw`"id"\s*:\s*("[ !#-\[\]-~]*"|-?\d+)\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID}[,}]`);
const LAST = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`);
const WINDOW = 200;

/** The id of the request that a server's message answers; undefined for its own requests and notifications. */
export function answeredId(bytes: Buffer): RequestId | undefined {
  // A request of the server has an id of its own. Inside a string, the word's quotes would be escaped.
  if (!bytes.includes('"method"')) {
    const first = FIRST.exec(bytes.toString("latin1", 0, WINDOW));
    const id = (
      first ?? LAST.exec(bytes.toString("latin1", Math.max(0, bytes.length - WINDOW)))
    )?.[1];
    if (id !== undefined) return readRequestId(JSON.parse(id));
  }
  const message = parseMessage(bytes);
  if (message === undefined || "method" in message) return undefined;
  return readRequestId(message["id"]);
}
