import { dirname, resolve } from "node:path";
import { pointerOf, projectOf } from "@toolcontract/config/adapter";
import type { ModelSettings } from "./model-settings.ts";
import { MODEL_SETTINGS, SESSION_FILE_OPTIONS } from "./session-table.ts";
import type { AgentConfig, McpServerConfig, ProviderConfig, TargetConfig } from "./agent-config.ts";
import { type Members, membersOf, type Merged } from "./merge-layers.ts";

/** The sections of a merged configuration, under their names in code. */
export type Sections = Pick<
  AgentConfig,
  "session" | "settings" | "providers" | "targets" | "mcpServers" | "queues"
>;

type Names = ReadonlyMap<string, string>;

const SESSION: Names = new Map([...SESSION_FILE_OPTIONS].map(([name, { key }]) => [key, name]));
const SETTINGS: Names = new Map(
  Object.entries(MODEL_SETTINGS).map(([name, { key }]) => [key, name]),
);
const OTHERS: Names = new Map([
  ["base_url", "baseUrl"],
  ["api_key", "apiKey"],
  ["context_window", "contextWindow"],
  ["request_timeout", "requestTimeout"],
  ["context_window_buffer_tokens", "contextWindowBufferTokens"],
  ["tool_timeout", "toolTimeout"],
  ["inherit_env", "inheritEnv"],
  ["start_timeout", "startTimeout"],
  ["tool_response_max_bytes", "toolResponseMaxBytes"],
]);

/** Converts a valid configuration to its names in code. The casts hold because the schema and the cross checks do. */
export function buildSections(merged: Merged): Sections {
  const { session, providers, targets, mcp_servers: servers, queues } = merged.value;
  const settings = settingsIn(session);
  const byName = mapMembers(providers, (one, name) => provider(one, merged, name));
  return {
    session: withRequestTimes(renamed(session, SESSION)),
    settings,
    providers: byName,
    targets: (Array.isArray(targets) ? targets : []).map((one: unknown) => {
      const target = {
        ...withPrice(withRequestTimes(withoutSettings(one))),
        settings: {},
      } as TargetConfig;
      const own = byName[target.provider]?.settings;
      return { ...target, settings: { ...settings, ...own, ...settingsIn(one) } };
    }),
    mcpServers: mapMembers(servers, (one, name) => server(one, merged, name)),
    queues: (queues ?? {}) as Sections["queues"],
  };
}

function provider(value: unknown, { originOf }: Merged, name: string): ProviderConfig {
  const { script, ...rest } = withoutSettings(value);
  const origin = originOf(pointerOf(["providers", name, "script"]));
  return {
    ...rest,
    ...(typeof script === "string" && { script: resolve(dirname(origin?.file ?? ""), script) }),
    settings: settingsIn(value),
  } as ProviderConfig;
}

function server(value: unknown, { originOf }: Merged, name: string): McpServerConfig {
  const { cwd, args, ...rest } = withoutSettings(value);
  const origin = originOf(pointerOf(["mcp_servers", name, "cwd"]));
  return {
    ...rest,
    ...("command" in rest && { args: args ?? [] }),
    ...(typeof cwd === "string" && { cwd: resolve(projectOf(origin?.file ?? ""), cwd) }),
  } as McpServerConfig;
}

function settingsIn(value: unknown): ModelSettings {
  return renamed(value, SETTINGS);
}

/** The members that a table names, under their names in code. */
function renamed(value: unknown, names: Names): object {
  return Object.fromEntries(
    Object.entries(membersOf(value)).flatMap(([key, member]) => {
      const name = names.get(key);
      return name === undefined ? [] : [[name, member]];
    }),
  );
}

/** The times of a request have fixed keys of their own. */
function withRequestTimes(members: object): object {
  const { requestTimeout } = members as { readonly requestTimeout?: unknown };
  if (requestTimeout === undefined) return members;
  const { first_token: firstToken, ...others } = membersOf(requestTimeout);
  return {
    ...members,
    requestTimeout: { ...others, ...(firstToken !== undefined && { firstToken }) },
  };
}

/** The price of a target has fixed keys of its own, too. */
function withPrice(members: object): object {
  const { price, ...rest } = members as { readonly price?: unknown };
  if (price === undefined || price === null) return rest;
  const { cached_input: written, cachedInput = written, ...others } = membersOf(price);
  return { ...rest, price: { ...others, ...(cachedInput !== undefined && { cachedInput }) } };
}

function withoutSettings(value: unknown): Members {
  const members = Object.entries(membersOf(value)).filter(([key]) => !SETTINGS.has(key));
  return Object.fromEntries(members.map(([key, member]) => [OTHERS.get(key) ?? key, member]));
}

function mapMembers<T>(
  value: unknown,
  convert: (member: unknown, name: string) => T,
): Readonly<Record<string, T>> {
  const members = Object.entries(membersOf(value));
  return Object.fromEntries(members.map(([name, member]) => [name, convert(member, name)]));
}
