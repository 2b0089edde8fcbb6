import type { SdkTarget } from "@toolcontract/ai-sdk/session";
import { DEFAULTS } from "../defaults.ts";
import { type AgentConfig, SESSION_FILE_OPTIONS } from "../settings/index.ts";

/** What a run would use, as `--dry-run` prints it. */
export interface Check {
  /** The configuration files, highest precedence first. */
  readonly files: readonly string[];
  /** The models, in the order in which attempts go to them. */
  readonly targets: readonly { readonly provider: string; readonly model: string }[];
  /** How many tools each server has. */
  readonly servers: Readonly<Record<string, number>>;
  readonly queues: AgentConfig["queues"];
  /** What limits a run, and where each limit comes from: a file, or what holds without one. */
  readonly limits: Readonly<Record<string, Limit>>;
  /** Whether each provider that the targets name has a key. */
  readonly keys: Readonly<Record<string, boolean>>;
}

/** A limit of a run. */
interface Limit {
  readonly value: unknown;
  readonly from: string;
}

/** What is checked. */
interface Checked {
  readonly targets: readonly SdkTarget[];
  readonly servers: Check["servers"];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Collects what was found. */
export function checkOf(config: AgentConfig, { targets, servers, env }: Checked): Check {
  const { files, queues } = config;
  return {
    files: files.map(({ path }) => path),
    targets: targets.map(({ model }) =>
      typeof model === "string"
        ? { provider: "gateway", model }
        : { provider: model.provider, model: model.modelId },
    ),
    servers,
    queues,
    limits: { ...sessionLimits(config), ...windowsOf(config, targets) },
    keys: Object.fromEntries(
      [
        ...new Set(
          targets.map(({ model }) => (typeof model === "string" ? model : model.provider)),
        ),
      ].map((name) => [name, hasKey(name, config, env)]),
    ),
  };
}

function sessionLimits({ session, origins }: AgentConfig): Check["limits"] {
  const rows = [...SESSION_FILE_OPTIONS].flatMap(([name, { key, fallback }]) => {
    const own = (session as Readonly<Record<string, unknown>>)[name];
    const held = (DEFAULTS as Readonly<Record<string, unknown>>)[name] ?? fallback ?? TIMES[name];
    if ((own ?? held) === undefined) return [];
    const from = own === undefined ? "default" : (origins[`/session/${key}`]?.file ?? "a file");
    return [[key, { value: own ?? held, from }] as const];
  });
  return Object.fromEntries(rows);
}

const TIMES: Readonly<Record<string, unknown>> = {
  requestTimeout: { firstToken: 300_000, silence: 300_000, total: 600_000 },
};

function windowsOf(
  { targets: configured }: AgentConfig,
  targets: readonly SdkTarget[],
): Check["limits"] {
  return Object.fromEntries(
    targets.map(({ model, contextWindow }, index) => {
      const name = typeof model === "string" ? model : model.modelId;
      const isSet = configured[index]?.contextWindow !== undefined;
      const from = isSet
        ? "a file"
        : contextWindow === undefined
          ? "unknown"
          : "known of the model";
      return [`context_window of ${name}`, { value: contextWindow ?? "none", from }];
    }),
  );
}

function hasKey(name: string, { providers }: AgentConfig, env: Checked["env"]): boolean {
  const { type = name, apiKey } = providers[name] ?? {};
  const variable = { openai: "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY" }[type];
  return apiKey !== undefined || (variable !== undefined && (env[variable] ?? "") !== "");
}

/** The same for people. */
export function checkText({ files, targets, servers, queues, limits, keys }: Check): string {
  return [
    ...section("Configuration", files),
    ...section(
      "Targets",
      targets.map(
        ({ provider, model }) =>
          `${provider}/${model}: ${keys[provider] === true ? "key is set" : "no key"}`,
      ),
    ),
    ...section(
      "MCP servers",
      Object.entries(servers).map(
        ([name, tools]) => `${name}: ${tools} ${tools === 1 ? "tool" : "tools"}`,
      ),
    ),
    ...section(
      "Limits",
      Object.entries(limits).map(([name, { value, from }]) => `${name}: ${shown(value)} (${from})`),
    ),
    ...section(
      "Queues",
      Object.entries(queues).map(([name, { concurrent }]) => `${name}: ${concurrent} at once`),
    ),
  ].join("\n");
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`${title}:`, ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${line}`))];
}
