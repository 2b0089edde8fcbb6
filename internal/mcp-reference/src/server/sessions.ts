import type { IncomingMessage, ServerResponse } from "node:http";

/** A transport of one session, of either SDK line. */
export interface SessionTransport {
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  close(): Promise<void>;
}

/** The events in the life of a session's transport. */
export interface SessionEvents {
  readonly onsessioninitialized: (id: string) => void;
  readonly onsessionclosed: (id: string) => void;
}

/** Serves the session-based protocol: one connected transport per client. */
export interface Sessions {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Opens a transport with a connected server for each new client. */
export function createSessions(
  open: (events: (transport: () => SessionTransport) => SessionEvents) => Promise<SessionTransport>,
): Sessions {
  const transports = new Map<string, SessionTransport>();

  function eventsOf(transport: () => SessionTransport): SessionEvents {
    return {
      onsessioninitialized: (id) => {
        transports.set(id, transport());
      },
      onsessionclosed: (id) => {
        transports.delete(id);
      },
    };
  }

  return {
    async handle(request, response, body) {
      const id = request.headers["mcp-session-id"];
      if (id === undefined) return (await open(eventsOf)).handleRequest(request, response, body);
      const transport = transports.get(String(id));
      if (transport) return transport.handleRequest(request, response, body);
      response.writeHead(404, { "content-type": "application/json" });
      const error = { code: -32_001, message: "Session not found" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    },
    async close() {
      await Promise.all([...transports.values()].map(async (transport) => transport.close()));
    },
  };
}
