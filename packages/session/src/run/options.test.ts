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
