import { expect, test } from "vitest";
import type { Target } from "../shared/index.ts";
import { createSession } from "./index.ts";

type Case = readonly [name: string, target: object, fault: string];

const cases: readonly Case[] = [
  [
    "a buffer that takes the whole window",
    { model: "m", contextWindow: 1_000, contextWindowBufferTokens: 1_000 },
    "test: targets[0]: a contextWindow of 1000 tokens is not larger than contextWindowBufferTokens + maxOutputTokens, which are 1000. Lower these.",
  ],
  [
    "an answer that takes what the default buffer of 10 % leaves",
    { model: "m", contextWindow: 1_000, maxOutputTokens: 900 },
    "test: targets[0]: a contextWindow of 1000 tokens is not larger than contextWindowBufferTokens + maxOutputTokens, which are 1000. Lower these.",
  ],
  ...[null, undefined].map((model): Case => [
    `a model that is ${String(model)}`,
    { model },
    `test: targets[0]: \`model\` is ${String(model)}. Pass a model of the framework.`,
  ]),
  [
    "a target without a model",
    {},
    "test: targets[0] must be an object with a model, such as { model }.",
  ],
  [
    "a misspelt member",
    { model: "m", maxOutputToken: 5 },
    "test: targets[0] has an unknown member 'maxOutputToken'. Did you mean 'maxOutputTokens'?",
  ],
  [
    "an unknown member",
    { model: "m", color: "red" },
    "test: targets[0] has an unknown member 'color'. It takes model, settings, contextWindow, contextWindowBufferTokens, maxOutputTokens, requestTimeout.",
  ],
  [
    "settings that are not an object",
    { model: "m", settings: 5 },
    "test: targets[0]: `settings` must be an object, such as { temperature: 0.2 }.",
  ],
  [
    "a context window of 0",
    { model: "m", contextWindow: 0 },
    "test: targets[0]: `contextWindow` must be a whole number of at least 1, in tokens.",
  ],
  [
    "a negative buffer",
    { model: "m", contextWindow: 10, contextWindowBufferTokens: -1 },
    "test: targets[0]: `contextWindowBufferTokens` must be a whole number of at least 0, in tokens.",
  ],
];

test.each(cases)("%s is an error when the session is created", (_, target, fault) => {
  const create = (): unknown =>
    createSession(
      { targets: [target as Target<string>] },
      { where: "test", nameOf: () => ({ provider: "p", model: "m" }) },
    );
  expect(create).toThrow(fault);
});

test("a transport by its name is an error that says what to pass", () => {
  const create = (): unknown =>
    createSession(
      { targets: [{ model: "m" }], transport: "xml" as never },
      { where: "test", nameOf: () => ({ provider: "p", model: "m" }) },
    );
  expect(create).toThrow(
    `test: option 'transport' must be "native", or xml or xmlFinal of @toolcontract/session/xml.`,
  );
});
