import { isRecord } from "@toolcontract/explain/adapter";

/** Sends requests to an MCP server. */
export interface Connection {
  /** Sends a request and returns its result; throws a ServerError if there is none. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string): Promise<void>;
  close(): Promise<void>;
}

/** A server that did not answer as it should: its message says why. */
export class ServerError extends Error {
  override readonly name: string = "ServerError";
}

/** A request that a server answered with an error. */
export class RequestError extends ServerError {
  override readonly name: string = "RequestError";
  /** What clients show of it. */
  readonly text: string;

  constructor({ code, message }: Readonly<Record<string, unknown>>) {
    super(`it answered with error ${String(code)}: ${String(message).slice(0, 200)}`);
    this.text = `MCP error ${String(code)}: ${String(message)}`;
  }
}

/** How long a server may take for one answer, in milliseconds. */
export const ANSWER_TIME = 30_000;

const MAX_PAGES = 100;
const CLIENT = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "toolcontract-lint", version: "1" },
};

/** Greets a server, and closes the connection once it has been used. */
export async function withServer<T>(connection: Connection, use: () => Promise<T>): Promise<T> {
  try {
    await connection.request("initialize", CLIENT);
    await connection.notify("notifications/initialized");
    return await use();
  } finally {
    await connection.close();
  }
}

/** Lists all tools of a server, as it declares them. */
export async function listTools(connection: Connection): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await connection.request("tools/list", cursor === undefined ? {} : { cursor });
    if (!isRecord(result) || !Array.isArray(result["tools"]))
      throw new ServerError("its answer to tools/list has no tools");
    tools.push(...(result["tools"] as unknown[]));
    cursor = result["nextCursor"];
    if (typeof cursor !== "string") break;
  }
  return tools;
}

/** The result of a JSON-RPC response; throws a RequestError if it is an error. */
export function resultOrThrow(response: Readonly<Record<string, unknown>>): unknown {
  const { error, result } = response;
  if (isRecord(error)) throw new RequestError(error);
  return result;
}
