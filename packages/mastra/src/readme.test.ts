import { readFileSync } from "node:fs";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { withContract } from "./index.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README is one screen, as far as text goes", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(103);
});

test("the answer in the README is the contract's answer to the call in the README", async () => {
  const args = /^For `([^`]+)`/m.exec(page)?.[1] ?? "";
  const answer = /```txt\n(.*?)\n```/s.exec(page)?.[1];
  const book = createTool({
    id: "book",
    description: "Books a flight",
    inputSchema: z.object({ from: z.string().length(3), seats: z.number().int() }),
    execute: async () => "booked",
  });
  const model = scriptedModel([{ id: "a", name: "book", args }]);
  const config = { id: "a", name: "a", instructions: "Book.", model: model as never };
  const agent = new Agent(withContract({ ...config, tools: { book } }, { logger: false }));
  await agent.generate("Two seats from Lisbon");
  expect(answersIn(model)["a"]).toBe(answer);
});

test("a chat as in the README shows words and the escalation, and no attempts", async () => {
  const bad = { name: "book", args: '{"from":"Lisbon"}' };
  const model = scriptedModel([bad], [bad], [bad], "I could not book it.");
  const book = createTool({
    id: "book",
    description: "Books a flight",
    inputSchema: z.object({ from: z.string().length(3) }),
    execute: async () => "booked",
  });
  let isHandedOver = false;
  const onEscalation = (): void => void (isHandedOver = true);
  const config = { id: "a", name: "a", instructions: "Book.", model: model as never };
  const agent = new Agent(
    withContract({ ...config, tools: { book } }, { logger: false, onEscalation }),
  );
  let shown = "";
  for await (const part of (await agent.stream("Lisbon")).textStream) shown += part;
  expect([shown, isHandedOver]).toEqual(["I could not book it.", true]);
});
