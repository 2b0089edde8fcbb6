import type {
  AgentConfig,
  ModelSettings,
  ProviderConfig,
  TargetConfig,
} from "../settings/index.ts";
import type { SdkTarget } from "@toolcontract/ai-sdk/session";
import { nearestName } from "@toolcontract/core/adapter";
import { RunError } from "@toolcontract/session";
import { contextWindowOf } from "@toolcontract/session/adapter";
import { wrapLanguageModel } from "ai";
import { type ModelOf, modelsOf } from "./providers.ts";
import type { ScriptedAnswer } from "./script.ts";
import { scriptedModels } from "./scripted-model.ts";

/** Which models a run may ask. */
export interface TargetOptions {
  /** The only provider whose targets are asked. */
  readonly provider?: string | undefined;
  /** What the provider `scripted` answers, which needs no configuration then. */
  readonly answers?: readonly ScriptedAnswer[] | undefined;
  /** The only model that is asked, as `provider/name`; it needs no target, and no provider if that is a known one. */
  readonly model?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variables from which the SDK takes a key that no file sets. */
const KEY_VARIABLES = { openai: "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY" } as const;

const SCRIPTED: TargetConfig = { provider: "scripted", model: "script", settings: {} };

/**
 * The targets of a session; only the providers that they name are loaded.
 *
 * @throws RunError if no target is configured, or if a provider has no key.
 */
export async function createTargets(
  given: Pick<AgentConfig, "providers" | "targets" | "settings">,
  { provider, model, answers, env }: TargetOptions,
): Promise<[SdkTarget, ...SdkTarget[]]> {
  if (answers) return [await targetOf(SCRIPTED, scriptedModels(answers), "scripted")];
  const config = model === undefined ? given : withModel(given, model);
  const [first, ...others] = chosen(config, provider);
  const used = new Set([first, ...others].map((target) => target.provider));
  const providers = Object.entries(config.providers).filter(([name]) => used.has(name));
  const faults = providers.flatMap(([name, one]) => missingKey(name, one, env) ?? []);
  if (faults.length > 0) throw new RunError("configuration", faults.join("\n"));
  const models = new Map<string, ModelOf>();
  for (const [name, one] of providers) models.set(name, await modelsOf(name, one));
  const resolve = async (target: TargetConfig): Promise<SdkTarget> =>
    targetOf(target, models.get(target.provider), config.providers[target.provider]?.type);
  return [await resolve(first), ...(await Promise.all(others.map(resolve)))];
}

/** The configuration with one target, `provider/name`. Providers with a known address need no section. */
function withModel(
  config: Pick<AgentConfig, "providers" | "targets" | "settings">,
  given: string,
): Pick<AgentConfig, "providers" | "targets"> {
  const slash = given.indexOf("/");
  const [name, model] = [given.slice(0, slash), given.slice(slash + 1)];
  if (slash < 1 || model === "") {
    throw new RunError(
      "configuration",
      `--model is provider/name, such as openai/gpt-5, not '${given.slice(0, 64)}'.`,
    );
  }
  const known = { ...KNOWN, ...config.providers };
  const provider = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!provider) {
    const near = nearestName(name, Object.keys(known));
    const advice = near === undefined ? "" : ` Did you mean --model ${near}/${model.slice(0, 64)}?`;
    throw new RunError(
      "configuration",
      `There is no provider "${name.slice(0, 64)}"; there are ${Object.keys(known).join(", ")}.${advice}`,
    );
  }
  const own = config.targets.find((target) => target.provider === name && target.model === model);
  const settings = { ...config.settings, ...provider.settings };
  return { providers: known, targets: [own ?? { provider: name, model, settings }] };
}

/** The providers whose address and key the SDK knows. */
const KNOWN: Readonly<Record<string, ProviderConfig>> = {
  openai: { type: "openai", settings: {} },
  anthropic: { type: "anthropic", settings: {} },
};

function chosen(
  { targets }: Pick<AgentConfig, "targets">,
  provider: string | undefined,
): readonly [TargetConfig, ...TargetConfig[]] {
  const [first, ...others] = targets.filter(
    (target) => provider === undefined || target.provider === provider,
  );
  if (first) return [first, ...others];
  if (provider === undefined) throw new RunError("configuration", NO_TARGET);
  const known = new Set([...targets, SCRIPTED].map((target) => target.provider));
  throw noTargetOf(provider, [...known]);
}

function noTargetOf(provider: string, known: readonly string[]): RunError {
  const near = nearestName(provider, known);
  const advice =
    near === undefined ? `There is ${known.join(", ")}.` : `Did you mean --provider ${near}?`;
  return new RunError(
    "configuration",
    `No target names the provider '${provider.slice(0, 64)}'. ${advice}`,
  );
}

function missingKey(
  name: string,
  provider: ProviderConfig,
  env: TargetOptions["env"],
): string | undefined {
  if (provider.type !== "openai" && provider.type !== "anthropic") return undefined;
  const variable = KEY_VARIABLES[provider.type];
  if (provider.apiKey !== undefined || (env[variable] ?? "") !== "") return undefined;
  return `The provider '${name}' has no key: set the environment variable ${variable}, or providers.${name}.api_key.`;
}

/** The keys that the environment has for providers without one. */
export function keysIn(env: TargetOptions["env"]): readonly string[] {
  return Object.values(KEY_VARIABLES).map((variable) => env[variable] ?? "");
}

const FREE = { input: 0, output: 0 };

/** Accounting names a target by the names of the configuration. */
async function targetOf(
  {
    provider,
    model: id,
    settings,
    contextWindow,
    contextWindowBufferTokens,
    requestTimeout,
    price,
  }: TargetConfig,
  modelOf: ModelOf | undefined,
  type?: ProviderConfig["type"],
): Promise<SdkTarget> {
  if (modelOf === undefined) throw noTargetOf(provider, []);
  const { maxOutputTokens } = settings;
  const window = contextWindow ?? (await knownWindow(type ?? provider, id, maxOutputTokens));
  return {
    model: wrapLanguageModel({ model: modelOf(id), middleware: {}, providerId: provider }),
    settings: settingsOf(settings, provider),
    ...(window !== undefined && { contextWindow: window }),
    ...(contextWindowBufferTokens !== undefined && { contextWindowBufferTokens }),
    ...(requestTimeout && { requestTimeout }),
    ...(price && { price }),
    // What a script answers costs nothing.
    ...(type === "scripted" && price === undefined && { price: FREE }),
    // What an answer may take is kept free for it.
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

/** The capacity of a public model, if it leaves room for a prompt. */
async function knownWindow(
  provider: string,
  model: string,
  maxOutputTokens = 0,
): Promise<number | undefined> {
  const window = await contextWindowOf({ provider, model });
  return window !== undefined && window * 0.9 > maxOutputTokens ? window : undefined;
}

/** The settings as the SDK takes them. */
function settingsOf(
  { repeatPenalty, ...settings }: ModelSettings,
  provider: string,
): NonNullable<SdkTarget["settings"]> {
  const known = settings as NonNullable<SdkTarget["settings"]>;
  if (repeatPenalty === undefined) return known;
  // A member of the request that OpenAI does not have: the SDK takes it below the provider's name, up to a dot.
  const [name = provider] = provider.split(".", 1);
  const { providerOptions } = known;
  const own = { ...providerOptions?.[name], repeat_penalty: repeatPenalty };
  return { ...known, providerOptions: { ...providerOptions, [name]: own } };
}

const NO_TARGET = `No model is configured. Write .agent/config.yml:

providers:
  main: { type: openai, api_key: "\${OPENAI_API_KEY}" }
targets:
  - { provider: main, model: gpt-5 }

Or play a recorded run, without key and network: toolcontract-agent --provider scripted "Summarise the notes of this week"`;
