import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentConfig, ProviderConfig, TargetConfig } from "../settings/index.ts";
import { exitCodeOf } from "@toolcontract/session";
import { generateText } from "ai";
import { afterAll, describe, expect, test } from "vitest";
import { createTargets, type TargetOptions } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-models-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, "script.json");
writeFileSync(
  script,
  JSON.stringify([
    { text: "first", usage: { inputTokens: 5, outputTokens: 2 } },
    {
      calls: [
        { name: "read", arguments: { path: "a" } },
        { name: "read", arguments: "{broken" },
      ],
    },
    { error: { status: 429, message: "Slow down", retryAfter: 2 } },
  ]),
);

const providers: Readonly<Record<string, ProviderConfig>> = {
  main: { type: "openai", apiKey: "key", settings: {} },
  new: { type: "openai", apiKey: "key", api: "responses", settings: {} },
  claude: { type: "anthropic", settings: {} },
  keyless: { type: "openai", settings: {} },
  local: { type: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", settings: {} },
  played: { type: "scripted", script, settings: {} },
};
const target = (provider: string, more: Partial<TargetConfig> = {}): TargetConfig => ({
  provider,
  model: "small",
  settings: {},
  ...more,
});
const configWith = (
  ...targets: TargetConfig[]
): Pick<AgentConfig, "providers" | "targets" | "settings"> => ({
  settings: {},
  providers,
  targets,
});
const options: TargetOptions = { env: { ANTHROPIC_API_KEY: "key" } };

const message = async (run: () => Promise<unknown>): Promise<string> => {
  const thrown: unknown = await run().catch((error: unknown) => error);
  expect(exitCodeOf(thrown)).toBe(4);
  return String(thrown);
};

describe("the targets of a session", () => {
  test("have the names of the configuration, and what the session reserves", async () => {
    const settings = { temperature: 0.2, maxOutputTokens: 500 };
    const limits = { contextWindow: 8000, contextWindowBufferTokens: 100 };
    const [first, ...others] = await createTargets(
      configWith(target("main", { settings, ...limits }), target("new"), target("claude")),
      options,
    );
    expect(first).toMatchObject({ settings, ...limits, maxOutputTokens: 500 });
    expect([first, ...others].map(({ model }) => model)).toMatchObject([
      { provider: "main", modelId: "small" },
      { provider: "new", modelId: "small" },
      { provider: "claude", modelId: "small" },
    ]);
    expect(Object.keys(others[0] ?? {}).toSorted()).toEqual(["model", "settings"]);
  });

  test("of one provider alone", async () => {
    const config = configWith(target("main"), target("local"), target("main", { model: "large" }));
    const found = await createTargets(config, { ...options, provider: "main" });
    expect(found.map(({ model }) => (typeof model === "string" ? model : model.modelId))).toEqual([
      "small",
      "large",
    ]);
  });

  test("need a key, each of them", async () => {
    const config = configWith(target("keyless"), target("claude"), target("main"));
    const faults = await message(async () => createTargets(config, { ...options, env: {} }));
    expect(faults).toContain(
      "The provider 'keyless' has no key: set the environment variable OPENAI_API_KEY, or providers.keyless.api_key.",
    );
    expect(faults).toContain("ANTHROPIC_API_KEY, or providers.claude.api_key.");
    expect(faults).not.toContain("'main'");
  });

  test("need no key if they are not asked", async () => {
    const config = configWith(target("keyless"), target("main"));
    const found = await createTargets(config, { ...options, provider: "main" });
    expect(found).toHaveLength(1);
  });

  test("without any, the message shows what to write", async () => {
    const text = await message(async () => createTargets(configWith(), options));
    expect(text).toContain('main: { type: openai, api_key: "${OPENAI_API_KEY}" }');
    expect(text).toContain("--provider scripted");
  });

  test.each([
    ["mian", "No target names the provider 'mian'. Did you mean --provider main?"],
    ["other", "No target names the provider 'other'. There is main, local, scripted."],
  ])("of a provider that nobody named: %s", async (provider, expected) => {
    const config = configWith(target("main"), target("local"), target("main"));
    const text = await message(async () => createTargets(config, { ...options, provider }));
    expect(text).toContain(expected);
  });

  test("repeat_penalty goes into the request under the provider's name", async () => {
    const settings = { repeatPenalty: 1.1, seed: 1, providerOptions: { local: { user: "a" } } };
    const [found] = await createTargets(configWith(target("local", { settings })), options);
    expect(found.settings).toEqual({
      seed: 1,
      providerOptions: { local: { user: "a", repeat_penalty: 1.1 } },
    });
  });
});

describe("--model", () => {
  const modelOf = async (model: string, config = configWith(target("local"))) => {
    const found = await createTargets(config, { env: { OPENAI_API_KEY: "key" }, model });
    expect(found).toHaveLength(1);
    return found[0];
  };
  test("needs no file for a provider that the SDK knows, and has the window of the model", async () => {
    const config = { providers: {}, targets: [], settings: { temperature: 0.2 } };
    expect(await modelOf("openai/gpt-4o", config)).toMatchObject({
      model: { provider: "openai", modelId: "gpt-4o" },
      settings: { temperature: 0.2 },
      contextWindow: 128_000,
    });
  });

  test("names a provider of the files, and a model with slashes", async () => {
    const found = await modelOf("local/org/model");
    expect(found).toMatchObject({ model: { provider: "local", modelId: "org/model" } });
  });

  test("has the settings of the target that it names", async () => {
    const config = configWith(target("local", { contextWindow: 5_000 }), target("main"));
    expect(await modelOf("local/small", config)).toMatchObject({ contextWindow: 5_000 });
  });

  test.each([
    ["gpt-5", "--model is provider/name, such as openai/gpt-5, not 'gpt-5'."],
    ["opnai/gpt-5", 'There is no provider "opnai"; there are openai, anthropic, main'],
    ["opnai/gpt-5", "Did you mean --model openai/gpt-5?"],
  ])("%s is wrong", async (model, expected) => {
    expect(await message(async () => modelOf(model))).toContain(expected);
  });
});

test("a scripted model gives one answer for each request", async () => {
  const [{ model }] = await createTargets(configWith(target("played")), options);
  const ask = async (): Promise<unknown> =>
    generateText({ model, prompt: "Hi", maxRetries: 0 }).then(
      ({ text, toolCalls, finishReason }) => ({ text, toolCalls, finishReason }),
      (error: unknown) => error,
    );
  expect(await ask()).toMatchObject({ text: "first", finishReason: "stop" });
  expect(await ask()).toMatchObject({
    toolCalls: [
      { toolName: "read", input: { path: "a" } },
      { toolName: "read", input: "{broken" },
    ],
    finishReason: "tool-calls",
  });
  expect(await ask()).toMatchObject({
    statusCode: 429,
    message: "Slow down",
    responseHeaders: { "retry-after": "2" },
  });
  expect(String(await ask())).toContain("The script has 3 answers, and this is one request more");
});
