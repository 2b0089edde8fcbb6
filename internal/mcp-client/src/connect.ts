import { RequestError } from "./errors.ts";
import { type ClientInfo, greet } from "./greet.ts";
import { isRecord, type Message } from "./message.ts";
import type { Transport } from "./transport.ts";

/** A server that was reached, in whichever protocol it speaks. */
export interface McpServer {
  /** Its name and version; empty if it did not give them. */
  readonly name: string;
  /** Resolves to the result of a request; rejects with a ServerError if there is none. */
  readonly request: (method: string, params: Message) => Promise<unknown>;
}

/** Greets the server behind a transport, uses it, and closes the transport, whatever happens. */
export async function connect<T>(
  transport: Transport,
  clientInfo: ClientInfo,
  use: (server: McpServer) => Promise<T>,
): Promise<T> {
  try {
    const { server, params: common } = await greet(transport, clientInfo);
    return await use({
      name: server,
      async request(method, params) {
        const { error, result } = await transport.request(method, { ...params, ...common });
        if (isRecord(error)) throw new RequestError(error);
        return result;
      },
    });
  } finally {
    await transport.close();
  }
}
