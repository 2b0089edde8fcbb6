import { PassThrough } from "node:stream";
import type { LlmEntry } from "@toolcontract/session";
import { expect, test } from "vitest";
import { createStatus } from "./index.ts";

const entry: LlmEntry = {
  type: "llm",
  provider: "openai",
  model: "gpt-4o",
  status: "ok",
  latency: 1,
  timestamp: 0,
  tokens: { inputTokens: 1000, outputTokens: 50, totalTokens: 1050 },
  costUsd: 0.003,
};

async function statusOn(more: object): Promise<string> {
  const stderr = Object.assign(new PassThrough(), more);
  let now = 0;
  const status = await createStatus(stderr, () => now);
  status.show("turn 1: asking the model");
  status.add(entry);
  status.add(entry);
  now = 4200;
  status.end();
  return String(stderr.read() ?? "");
}

test("on a terminal, the last line has time, tokens and dollars", async () => {
  const text = await statusOn({ isTTY: true, columns: 80, clearLine: Boolean, cursorTo: Boolean });
  expect(text.trimEnd().split("\n").at(-1)).toMatch(/4 s · 2100 tokens · \$0\.0060$/);
});

test.each([
  ["a pipe", {}],
  ["a terminal without a size", { isTTY: true, columns: 0 }],
])("on %s no line is shown", async (_, more) => {
  expect(await statusOn(more)).toBe("");
});
