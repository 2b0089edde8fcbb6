import { after, createGuardrails, type GuardrailsOptions } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { withContract } from "./with-contract.ts";

const config = { id: "a", name: "a", instructions: "Pay.", model: "openai/gpt" };
const spends = { pay: () => ({ money: 1 }) };

describe("guardrails that ask about the place of a call", () => {
  test.each<[string, Partial<GuardrailsOptions<unknown>>, string]>([
    [
      "a limit of the conversation",
      { limits: { money: { max: 5 } }, spends },
      "withContract: limit 'money' counts by conversation, and this framework does not name it. Pass `conversationId`, or another scope",
    ],
    [
      "after()",
      { guardrails: [after("read").deny("pay")] },
      "withContract: guardrail 'deny pay after read' asks what ran in the conversation, and this framework does not name it. Pass `conversationId`.",
    ],
    [
      "a limit of the run",
      { limits: { money: { max: 5, per: "run" } }, spends },
      "withContract: limit 'money' counts per run, and this framework does not tell its runs apart.",
    ],
  ])("fail as they are attached, if nobody can ever tell it: %s", (_, options, message) => {
    const guardrails = createGuardrails({ guardrails: [], ...options });
    expect(() => withContract(config, { guardrails })).toThrow(message);
    const observed = { guardrails, mode: "observe", logger: false } as const;
    expect(() => withContract(config, observed)).not.toThrow();
  });

  test.each<[string, Partial<GuardrailsOptions<unknown>>]>([
    ["a limit of the conversation", { limits: { money: { max: 5 } }, spends }],
    ["after()", { guardrails: [after("read").deny("pay")] }],
  ])("are attached with a conversationId: %s", (_, options) => {
    const guardrails = createGuardrails({ guardrails: [], ...options });
    expect(() => withContract(config, { guardrails, conversationId: "chat-1" })).not.toThrow();
  });

  test("are attached if a limit counts for users", () => {
    const limits = { money: { max: 5, scope: "user" } } as const;
    const guardrails = createGuardrails({ guardrails: [], limits, spends });
    expect(() => withContract(config, { guardrails })).not.toThrow();
  });
});
