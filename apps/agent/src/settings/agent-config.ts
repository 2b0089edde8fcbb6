import type { ContractOptions } from "@toolcontract/core";
import type { ConfigFile, ConfigOrigin, GuardrailsConfig } from "@toolcontract/config";
import type { RequestTimeout, SessionLimits, TokenPrice } from "@toolcontract/session";
import type { ModelSettings } from "./model-settings.ts";

/** An endpoint with models. */
export interface ProviderConfig {
  /** What kind of endpoint it is. */
  readonly type: "openai" | "anthropic" | "openai-compatible" | "scripted";
  /** Where it is; always set for `"openai-compatible"`. */
  readonly baseUrl?: string;
  /** The key, expanded. */
  readonly apiKey?: string;
  /** Which API of OpenAI is used; chat completions by default. */
  readonly api?: "chat" | "responses";
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The file with the answers of a scripted model, absolute; always set for `"scripted"`. */
  readonly script?: string;
  /** The settings of this provider alone. */
  readonly settings: ModelSettings;
}

/** A model to ask. */
export interface TargetConfig {
  /** The provider's name; there is one with this name. */
  readonly provider: string;
  /** The model's name, as the provider calls it. */
  readonly model: string;
  /** The model's capacity in tokens. */
  readonly contextWindow?: number;
  /** Kept free, in tokens. */
  readonly contextWindowBufferTokens?: number;
  /** The times of its requests, over those of the session. */
  readonly requestTimeout?: RequestTimeout;
  /** What its tokens cost. */
  readonly price?: TokenPrice;
  /** The settings of the session, its provider and this target, the last of which wins. */
  readonly settings: ModelSettings;
}

/** What servers over stdio and HTTP have in common. */
interface ServerLimits {
  /** The queue of its tools; `default` otherwise. */
  readonly queue?: string;
  /** Milliseconds until it must have started. */
  readonly startTimeout?: number;
  /** Milliseconds until a call of its tools is given up. */
  readonly toolTimeout?: number;
  /** UTF-8 bytes of a result of its tools that the model reads. */
  readonly toolResponseMaxBytes?: number;
}

/** A server that is started as a child process. */
export interface StdioServerConfig extends ServerLimits {
  /** The program that is started. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its environment variables, as they are written; `envOf` expands them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of this process that it gets too. */
  readonly inheritEnv?: readonly string[];
  /** Its working directory, absolute. */
  readonly cwd?: string;
}

/** A server over Streamable HTTP. */
export interface HttpServerConfig extends ServerLimits {
  /** Its address. */
  readonly url: string;
  /** Headers of every request, as they are written; `headersOf` expands them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An MCP server. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** The limits of a run, as a session takes them, without the functions that only code can pass. */
type SessionConfig = {
  readonly [Name in keyof Omit<SessionLimits, "transport">]: Exclude<
    SessionLimits[Name],
    (tool: string) => unknown
  >;
} & {
  /** How calls reach the model and back, as a file names it. */
  readonly transport?: "native" | "xml" | "xml-final";
};

/** The merged configuration of an agent. */
export interface AgentConfig {
  /** The limits of a run, to spread into a session's options; the transport is still a name. */
  readonly session: SessionConfig;
  /** The settings for every model, below `session`. */
  readonly settings: ModelSettings;
  /** The endpoints with models, by name. */
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  /** The models to ask, in turn. */
  readonly targets: readonly TargetConfig[];
  /** The MCP servers, by name. */
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  /** How many tools of one queue run at once; `default` only if a file sets it. */
  readonly queues: Readonly<Record<string, { readonly concurrent: number }>>;
  /** The options that the files set, for `createContract`. */
  readonly options: ContractOptions;
  /** What the files say about guardrails, for `guardrailsFrom` of `@toolcontract/guardrails/config`. */
  readonly guardrails: GuardrailsConfig;
  /**
   * The headers of a server, expanded now: from the env files of the layer that sets them, then from the environment.
   *
   * @throws MissingVariableError if a variable is not set anywhere.
   */
  readonly headersOf: (server: string) => Readonly<Record<string, string>>;
  /** The environment of a server, expanded now in the same way. */
  readonly envOf: (server: string) => Readonly<Record<string, string>>;
  /** Where each value was set, by its JSON Pointer in snake_case; guardrails that are lists by name instead of index. */
  readonly origins: Readonly<Record<string, ConfigOrigin>>;
  /** The files that were read, highest precedence first. */
  readonly files: readonly ConfigFile[];
}
