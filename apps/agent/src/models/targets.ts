import type {
  AgentConfig,
  ModelSettings,
  ProviderConfig,
  TargetConfig,
} from "../settings/index.ts";
import type { SdkTarget } from "@toolcontract/ai-sdk/session";
import { nearestName } from "@toolcontract/core/adapter";
import { type PricedUsage, RunError } from "@toolcontract/session";
import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { type ModelOf, modelsOf } from "./providers.ts";
import type { ScriptedAnswer } from "./script.ts";
import { scriptedModels } from "./scripted-model.ts";

/** Which models a run may ask. */
export interface TargetOptions {
  /** The only provider whose targets are asked. */
  readonly provider?: string | undefined;
  /** What the provider `scripted` answers, which needs no configuration then. */
  readonly answers?: readonly ScriptedAnswer[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with what each request took. */
  readonly onUsage: (usage: PricedUsage) => void;
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
  config: Pick<AgentConfig, "providers" | "targets">,
  { provider, answers, env, onUsage }: TargetOptions,
): Promise<[SdkTarget, ...SdkTarget[]]> {
  if (answers) return [targetOf(SCRIPTED, scriptedModels(answers), onUsage)];
  const [first, ...others] = chosen(config, provider);
  const used = new Set([first, ...others].map((target) => target.provider));
  const providers = Object.entries(config.providers).filter(([name]) => used.has(name));
  const faults = providers.flatMap(([name, one]) => missingKey(name, one, env) ?? []);
  if (faults.length > 0) throw new RunError("configuration", faults.join("\n"));
  const models = new Map<string, ModelOf>();
  for (const [name, one] of providers) models.set(name, await modelsOf(name, one));
  const resolve = (target: TargetConfig): SdkTarget =>
    targetOf(target, models.get(target.provider), onUsage);
  return [resolve(first), ...others.map(resolve)];
}

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

/** Accounting names a target by the names of the configuration. */
function targetOf(
  {
    provider,
    model: id,
    settings,
    contextWindow,
    contextWindowBufferTokens,
    requestTimeout,
  }: TargetConfig,
  modelOf: ModelOf | undefined,
  onUsage: TargetOptions["onUsage"],
): SdkTarget {
  if (modelOf === undefined) throw noTargetOf(provider, []);
  const { maxOutputTokens } = settings;
  return {
    model: wrapLanguageModel({
      model: modelOf(id),
      middleware: reportUsage((usage) => onUsage({ ...usage, provider, model: id })),
      providerId: provider,
    }),
    settings: settingsOf(settings, provider),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(contextWindowBufferTokens !== undefined && { contextWindowBufferTokens }),
    ...(requestTimeout && { requestTimeout }),
    // What an answer may take is kept free for it.
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
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

function reportUsage(
  onUsage: (usage: Omit<PricedUsage, "provider" | "model">) => void,
): LanguageModelMiddleware {
  return {
    async wrapGenerate({ doGenerate }) {
      const answer = await doGenerate();
      const { inputTokens, outputTokens } = answer.usage;
      const [input, output] = [inputTokens.total ?? 0, outputTokens.total ?? 0];
      const metadata = answer.providerMetadata;
      onUsage({
        inputTokens: input,
        cachedTokens: inputTokens.cacheRead ?? 0,
        outputTokens: output,
        totalTokens: input + output,
        metadata,
      });
      return answer;
    },
  };
}

const NO_TARGET = `No model is configured. Write .agent/config.yml:

providers:
  main: { type: openai, api_key: "\${OPENAI_API_KEY}" }
targets:
  - { provider: main, model: gpt-5 }

Or play a recorded run, without key and network: toolcontract-agent --provider scripted "Summarise the notes of this week"`;
