/** The value of every flag: given, or its default. Times are milliseconds, sizes bytes. */
export interface Settings {
  readonly mode: "enforce" | "assist" | "audit";
  readonly soft: "assist" | "reject" | "forward";
  readonly "unknown-args": "ignore" | "warn" | "reject";
  readonly "unwrap-strings": boolean;
  readonly tool: readonly string[];
  readonly "fail-open": boolean;
  readonly "max-attempts": number;
  readonly "attempt-window": number;
  readonly coalesce: number;
  readonly "attempt-key": "auto" | `header:${string}` | `meta:${string}`;
  readonly "on-exhausted": "answer" | "forward";
  readonly style: "standard" | "compact";
  readonly "max-chars": number;
  readonly "max-errors": number;
  readonly "list-timeout": number;
  readonly "max-body": number;
  readonly grace: number;
  readonly upstream: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly endpoint: string;
  readonly header: readonly string[];
  readonly "allow-host": readonly string[];
  readonly "allow-origin": readonly string[];
  readonly "log-level": "info" | "warn" | "silent";
  readonly "log-file": string | undefined;
  readonly "metrics-file": string | undefined;
  readonly "metrics-port": number | undefined;
  readonly config: string | undefined;
}

/** The name of a flag, without its dashes. */
export type FlagName = keyof Settings;
