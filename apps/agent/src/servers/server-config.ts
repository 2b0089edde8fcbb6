import type { ContractOptions } from "@toolcontract/core";

interface Limits {
  readonly queue?: string;
  readonly toolTimeout?: number;
  readonly toolResponseMaxBytes?: number;
}

/** A server that is started as a child process. */
export interface StdioServerConfig extends Limits {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server over Streamable HTTP. */
export interface HttpServerConfig extends Limits {
  readonly url: string;
}

/** What the configuration says of servers. */
export interface ServersConfig {
  readonly mcpServers: Readonly<Record<string, StdioServerConfig | HttpServerConfig>>;
  /** The options of a contract. */
  readonly options: ContractOptions;
  headersOf(server: string): Readonly<Record<string, string>>;
}
