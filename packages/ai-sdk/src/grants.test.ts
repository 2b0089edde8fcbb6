import { describeGrants, type GrantsKit } from "@toolcontract/case-table/grants";
import { type AskRequest, type Contract, createContract } from "@toolcontract/core";
import { createGuardrails, memoryLedger, slotStore } from "@toolcontract/guardrails";
import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes, SDKS } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

const NO_APPROVALS = { 5: "approvals are new in version 6" };

function hostOf(sdk: Sdk, mode: Mode): GrantsKit<Contract, AskRequest>["createHost"] {
  return (run) => ({
    async call({ id, name, arguments: args, user, conversationId }, open, answer) {
      const toolOf = (tool: string) =>
        sdk.ai.tool({
          inputSchema: sdk.ai.jsonSchema({ type: "object" }),
          execute: async (input: unknown) => run(tool, input),
        });
      const settingsOf = () =>
        sdk.adapter.withContract({
          contract: open(),
          context: { user },
          conversationId,
          tools: { pay: toolOf("pay"), refund: toolOf("refund") },
          stopWhen: steps(2),
        });
      const settings = settingsOf();
      const calls = [{ id, name, input: JSON.stringify(args) }];
      const model = sdk.script([{ calls }, { text: "Done." }]);
      const { messages } = await sdk.run(mode, { model, settings });
      const [asked] = await sdk.adapter.asksIn(settings.tools, messages);
      if (asked === undefined) return textOf(messages, id);
      const reason = await answer(asked.request);
      const approved = approve(messages, asked.approvalId, reason);
      const done = await sdk.run(mode, {
        model: sdk.script([{ text: "Done." }]),
        messages: JSON.parse(JSON.stringify(approved)) as ModelMessage[],
        settings: settingsOf(),
      });
      return textOf(done.messages, id);
    },
  });
}

function approve(
  messages: readonly ModelMessage[],
  approvalId: string,
  reason: unknown,
): readonly ModelMessage[] {
  const grant = typeof reason === "string" && { reason };
  const response = {
    type: "tool-approval-response",
    approvalId,
    approved: true,
    ...grant,
  } as const;
  return [...messages, { role: "tool", content: [response] }];
}

// Version 5 has no approval.
for (const sdk of SDKS.filter(({ version }) => version !== 5)) {
  describeGrants(`ai ${sdk.version}`, {
    createContract,
    createGuardrails,
    createStore: memoryLedger,
    createHost: hostOf(sdk, "generateText"),
  });
}

describeModes((sdk, mode) => {
  const { withContract, asksIn } = sdk.adapter;

  const plain = sdk.ai.jsonSchema<{ amount: number }>({ type: "object" });

  function shop(inputSchema: object) {
    const paid: unknown[] = [];
    const guardrails = createGuardrails({
      store: slotStore({ limit: 100 }),
      effects: { pay: "irreversible" },
      guardrails: [
        {
          name: "large",
          check: ({ args, state }) => args.amount > state.limit && { ask: `above ${state.limit}` },
        },
      ],
    });
    const pay = sdk.ai.tool({
      inputSchema: inputSchema as typeof plain,
      execute: async (input) => {
        paid.push(input);
        return "paid";
      },
    });
    const settings = withContract({
      logger: () => undefined,
      guardrails,
      tools: { pay },
      stopWhen: steps(2),
    });
    return { guardrails, settings, paid };
  }

  test.each<[string, object, (amount: number) => unknown]>([
    ["takes what was sent", plain, Number],
    ["changes what was sent", z.object({ amount: z.string().transform(Number) }), String],
  ])("a guardrail that looks at the state asks, if the schema %s", async (_, schema, amount) => {
    // In a conversation that has no name.
    const { guardrails, settings, paid } = shop(schema);
    const pay = (id: string, dollars: number) => {
      return { id, name: "pay", input: JSON.stringify({ amount: amount(dollars) }) };
    };
    const calls = [pay("small", 50), pay("large", 500)];
    const model = sdk.script([{ calls }]);
    const { messages } = await sdk.run(mode, { model, settings });
    expect(paid).toEqual([{ amount: 50 }]);
    const asks = await asksIn(settings.tools, messages);
    expect(asks).toMatchObject([
      {
        toolCallId: "large",
        request: { callId: "large", arguments: { amount: 500 }, reasons: [{ why: "above 100" }] },
      },
    ]);
    const { approvalId, request } = asks[0]!;
    const grant = await guardrails.grant(request, { by: "me", expiresIn: 1_000 });
    const next = sdk.script([{ text: "Done." }]);
    const approved = approve(messages, approvalId, grant);
    const done = await sdk.run(mode, { model: next, messages: approved, settings });
    expect(textOf(done.messages, "large")).toBe("paid");
    expect(paid).toEqual([{ amount: 50 }, { amount: 500 }]);
    // The model does not read the grant.
    expect(JSON.stringify(next.requests)).not.toContain(grant);
    expect(await asksIn(settings.tools, done.messages)).toEqual([]);
  });

  test("asksIn takes the tools of withContract", async () => {
    await expect(asksIn({}, [])).rejects.toThrow("pass the tools that withContract returned");
  });
}, NO_APPROVALS);
