/** The members of a transport, of either SDK generation, that the hook uses. */
export interface SdkTransport {
  /** Called for each message that arrives. */
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** Called when the connection closes. */
  onclose?: (() => void) | undefined;
  /** Called for an error that does not end the connection. */
  onerror?: ((error: Error) => void) | undefined;
  /** The id of the session, if the transport has sessions. */
  sessionId?: string | undefined;
  /** Sends a message. */
  send(message: never, options?: never): Promise<void>;
}

/** The low-level `Server` of either SDK generation: handlers by method. */
export interface LowLevelServer {
  /** Starts to serve a client over a transport. */
  connect(transport: never): Promise<void>;
  /** The transport once connected. */
  readonly transport?: unknown;
}

/** The high-level `McpServer` of either SDK generation, which validates arguments itself. */
export interface HighLevelServer {
  readonly server: LowLevelServer;
}

/** Any server of `@modelcontextprotocol/sdk` or `@modelcontextprotocol/server`. */
export type SdkServer = LowLevelServer | HighLevelServer;
