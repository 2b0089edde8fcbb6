/** A transport of either SDK generation, as far as the hook uses it. */
export interface SdkTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  sessionId?: string | undefined;
  send(message: never, options?: never): Promise<void>;
}

/** The low-level `Server` of either SDK generation: handlers by method. */
export interface LowLevelServer {
  connect(transport: never): Promise<void>;
  readonly transport?: unknown;
}

/** The high-level `McpServer` of either SDK generation, which validates arguments itself. */
export interface HighLevelServer {
  readonly server: LowLevelServer;
}

/** Any server of `@modelcontextprotocol/sdk` or `@modelcontextprotocol/server`. */
export type SdkServer = LowLevelServer | HighLevelServer;
