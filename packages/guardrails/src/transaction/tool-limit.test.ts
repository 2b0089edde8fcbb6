import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { type Effect, createGuardrails, slotStore } from "../index.ts";

const slow = async (): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(() => resolve("done"), 30);
  });

test.each<[what: string, effects: Record<string, Effect>, ends: string]>([
  ["holds locks, so the limit ends it", { crawl: "state" }, "TimeoutError"],
  ["holds none, as nothing is known of it, so it takes its time", {}, "done"],
  ["holds none, as it has no effects, so it takes its time", { crawl: "none" }, "done"],
])("a slow tool %s", async (_, effects, ends) => {
  const store = slotStore({ pages: [] as string[] });
  const guardrails = createGuardrails({ store, effects, guardrails: [], timeLimits: { tool: 5 } });
  const contract = createContract({ guardrails, logger: false });
  const call = { id: "call_1", name: "crawl", arguments: {} };
  const tool = { name: "crawl", inputSchema: { type: "object" } } as const;
  const ended = await contract
    .handle(call, { tool, conversationId: "thread-7", execute: slow })
    .then(
      ({ result }) => result.content,
      (thrown: unknown) => (thrown as Error).name,
    );
  expect(ended).toBe(ends);
});
