import { readFileSync } from "node:fs";
import { Agent } from "@openai/agents";
import { expect, test } from "vitest";
import { z } from "zod";
import { tool, withContract } from "./index.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README is one screen, as far as text goes", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(101);
});

test("the answer in the README is the contract's answer to the call in the README", async () => {
  const args = /^For `([^`]+)`/m.exec(page)?.[1] ?? "";
  const answer = /```txt\n(.*?)\n```/s.exec(page)?.[1];
  const book = tool({
    name: "book",
    description: "Books a flight",
    parameters: z.object({ from: z.string().length(3), seats: z.number().int() }),
    execute: async () => "booked",
  });
  const model = scriptedModel([{ id: "a", name: "book", args }]);
  const plain = new Agent({ name: "travel", model, tools: [book] });
  const { agent, runner } = withContract(plain, { logger: false });
  await runner.run(agent, "Two seats from Lisbon");
  expect(answersIn(model)["a"]).toBe(answer);
});

test("a chat as in the README shows words and the escalation, and no attempts", async () => {
  const bad = { id: "", name: "book", args: '{"from":"Lisbon"}' };
  const model = scriptedModel([bad], [bad], [bad], "I could not book it.");
  const book = tool({
    name: "book",
    description: "Books a flight",
    parameters: z.object({ from: z.string().length(3) }),
    execute: async () => "booked",
  });
  let isHandedOver = false;
  const onEscalation = (): void => void (isHandedOver = true);
  const plain = new Agent({ name: "travel", model, tools: [book] });
  const { agent, runner } = withContract(plain, { logger: false, onEscalation });
  const run = await runner.run(agent, "Lisbon", { stream: true });
  let shown = "";
  for await (const part of run.toTextStream()) shown += part;
  await run.completed;
  expect([run.finalOutput, isHandedOver]).toEqual(["I could not book it.", true]);
  expect(shown).not.toContain("Validation failed");
});
