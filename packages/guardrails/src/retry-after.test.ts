import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { type AttemptEvent, createGuardrails } from "./index.ts";

const busy = Object.assign(new Error("busy"), { status: 429, headers: { "retry-after": "7" } });

test("a failure that says when to come back keeps it for the runtime, not for the model", async () => {
  const guardrails = createGuardrails({ guardrails: [], effects: { search: "none" } });
  const contract = createContract({ guardrails, logger: false });
  const events: AttemptEvent[] = [];
  contract.on("attempt", (event) => events.push(event));
  const search = async (): Promise<never> => Promise.reject(busy);
  const call = { id: "call_1", name: "search", arguments: {} };
  const tool = { name: "search", inputSchema: { type: "object" } } as const;
  const context = { tool, conversationId: "thread-7", execute: search };
  await expect(contract.handle(call, context)).rejects.toBe(busy);
  expect(events.at(-1)).toMatchObject({ attempt_stage: "rolled_back", retry_after_ms: 7_000 });
});
